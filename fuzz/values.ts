import { type Schema, Validator } from '@cfworker/json-schema';
import { type Defs, propertiesOf, resolved } from './schema.ts';
import type { Random } from '../testing/random.ts';

// Field values: valid, at the limit, and beyond it.

/** Values that exist in the world, by field or parameter name. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

const TEXTS: readonly string[] = [
	'x',
	'A name',
	'ünïcödé 日本 😀',
	'Two\nlines',
	'2026-11-01',
	'2026-11-30',
	'1960-01-01',
	'1999-12-31',
	'2999-12-31',
	'3000-01-01',
	'2026-11-20T12:00:00Z',
	'2026-11-20T12:00:00.123456+05:30',
	'USD',
	'eur',
	' JPY ',
	'KWD',
	'a@b.example',
	'Some.Body@Example.COM',
	'https://shop.example/a?b=c#d',
	'https://*.shop.example',
	'http://localhost:3000',
	'shop.example',
	'Europe/Berlin',
	'utc',
	'true',
	'sale,refund',
	'a long enough password',
	'1',
	'50',
	'5',
];

/** Values that no honest client would send. */
export const HOSTILE: readonly unknown[] = [
	null,
	true,
	false,
	0,
	-0,
	-1,
	1,
	0.5,
	1.005,
	1e-7,
	1e21,
	1e308,
	2 ** 31,
	2 ** 53,
	-(2 ** 53),
	99_999_999_999,
	100_000_000_000,
	'',
	' ',
	'\t\n',
	'0',
	'-1',
	'1e3',
	'NaN',
	'null',
	'undefined',
	"' OR 1=1 --",
	'"; DROP TABLE programs; --',
	'<script>alert(1)</script>',
	'https://shop.example/?aff=%00',
	'https://shop.example/?aff=',
	'https://[::1',
	'javascript:alert(1)',
	'cust_1_1',
	'cust_9007199254740993_1',
	'percent',
	'flat',
	'2026-02-30',
	'9999-12-31',
	'0000-01-01T00:00:00Z',
	'../../etc/passwd',
	'{}',
	'[]',
	'%',
	'%ff',
	'\u0000',
	'a\u0000b',
	'\u0085',
	'\u2028',
	'\ufeff',
	'\ud800',
	'a\udfffb',
	'e\u0301'.repeat(200),
	'😀'.repeat(128),
	'x'.repeat(255),
	'x'.repeat(256),
	'x'.repeat(5_000),
	[],
	[[]],
	[null],
	[1, 1, 1],
	['\ud800'],
	Array(501).fill(1),
	{},
	{ test_mode: true },
	{ test_mode: 'x' },
	{ type: 'percent', percent: 1e-9 },
	{ type: 'flat', amount_cents: 2 ** 53 },
	{ toString: 1, length: 5 },
	{ __proto__: null, constructor: { prototype: 1 } },
	{ a: { b: { c: [{ d: null }] } } },
];

export class Values {
	readonly #random: Random;
	readonly #known: Known;
	readonly #defs: Defs;
	readonly #fitting = new Map<Schema, readonly string[]>();
	#fresh = 0;

	constructor(random: Random, known: Known, defs: Defs) {
		this.#random = random;
		this.#known = known;
		this.#defs = defs;
	}

	/** A value that the schema allows. The service may still refuse it because of rules that the schema does not express. */
	valid(schema: Schema, name = ''): unknown {
		const random = this.#random;
		if (schema.$ref !== undefined) return this.valid(resolved(schema, this.#defs), name);
		const known = this.#known[name];
		if (known && random.chance(0.85)) return random.chance(0.2) ? this.fresh(name) : random.pick(known);
		if (schema.const !== undefined) return schema.const;
		if (schema.enum) return random.pick(schema.enum);
		if (schema.anyOf) return this.valid(random.pick(schema.anyOf), name);
		switch (this.#typeOf(schema)) {
			case 'integer':
				return this.#integer(schema);
			case 'number':
				return random.pick([schema.minimum ?? -1, schema.maximum ?? 1e6, 0.5, 12.34, random.below(100)]);
			case 'boolean':
				return random.chance(0.5);
			case 'null':
				return null;
			case 'string':
				return this.#string(schema, name);
			case 'array':
				return Array.from({ length: this.#length(schema) }, () => this.valid(itemsOf(schema), `${name}[]`));
			case 'object':
				return this.#object(schema);
			default:
				return random.pick([null, 1, 'x', [], {}, { a: 1 }]);
		}
	}

	/** A value at the limit of what the schema allows, or one beyond it. */
	edge(schema: Schema): unknown {
		const random = this.#random;
		if (schema.anyOf) return this.edge(random.pick(schema.anyOf));
		const edges: unknown[] = [
			schema.minimum,
			schema.minimum === undefined ? undefined : schema.minimum - 1,
			schema.exclusiveMinimum,
			schema.maximum,
			schema.maximum === undefined ? undefined : schema.maximum + 1,
			schema.maxLength === undefined ? undefined : 'x'.repeat(schema.maxLength),
			schema.maxLength === undefined ? undefined : 'é'.repeat(schema.maxLength + 1),
			schema.minLength === undefined ? undefined : 'x'.repeat(schema.minLength - 1),
			schema.maxItems === undefined ? undefined : Array(schema.maxItems + 1).fill(1),
			schema.minItems === undefined ? undefined : [],
		].filter((value) => value !== undefined);
		return edges.length === 0 ? this.hostile() : random.pick(edges);
	}

	hostile(): unknown {
		const random = this.#random;
		return random.chance(0.8) ? random.pick(HOSTILE) : this.#anything(3);
	}

	/** A value with this name that exists in the world; empty if there is none. */
	known(name: string): string {
		const known = this.#known[name] ?? [];
		return known.length === 0 ? '' : String(this.#random.pick(known));
	}

	/** A value that no request has sent before. */
	fresh(name: string): unknown {
		this.#fresh += 1;
		const example = this.#known[name]?.[0];
		if (typeof example === 'number') return 900_000 + this.#fresh;
		if (name === 'email') return `fresh${this.#fresh}@people.example`;
		if (name === 'affiliate_url') return `https://shop.example/?aff=fresh${this.#fresh}`;
		return `fresh-${this.#fresh}`;
	}

	/** Any JSON. */
	#anything(depth: number): unknown {
		const random = this.#random;
		if (depth === 0 || random.chance(0.4)) return random.pick([...HOSTILE.slice(0, 30), this.#noise(random.below(40))]);
		if (random.chance(0.5)) return Array.from({ length: random.below(4) }, () => this.#anything(depth - 1));
		return Object.fromEntries(Array.from({ length: random.below(4) }, () => [this.#noise(random.below(6)), this.#anything(depth - 1)]));
	}

	/** Any UTF-16. */
	#noise(length: number): string {
		return String.fromCharCode(...Array.from({ length }, () => this.#random.below(0x1_0000)));
	}

	#typeOf({ type }: Schema): string {
		if (!Array.isArray(type)) return type ?? 'any';
		return this.#random.chance(0.9) ? (type[0] ?? 'any') : this.#random.pick(type);
	}

	#integer({ minimum: least = 0, exclusiveMinimum, maximum = 1e6 }: Schema): number {
		const random = this.#random;
		const minimum = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : least;
		const low = Math.max(minimum, 0);
		return random.pick([minimum, maximum, low, Math.min(maximum, low + 1), Math.min(maximum, low + random.below(10_000))]);
	}

	#string(schema: Schema, name: string): string {
		let fitting = this.#fitting.get(schema);
		if (!fitting) {
			const validator = new Validator({ ...schema, type: 'string' }, '2020-12');
			fitting = TEXTS.filter((text) => validator.validate(text).valid);
			this.#fitting.set(schema, fitting);
		}
		const fresh = String(this.fresh(name));
		return fitting.length === 0 ? fresh : this.#random.pick([...fitting, fitting[0] ?? fresh]);
	}

	#length({ minItems = 0, maxItems = 4 }: Schema): number {
		return Math.min(maxItems, minItems + this.#random.below(3));
	}

	#object(schema: Schema): Record<string, unknown> {
		const random = this.#random;
		const fields = propertiesOf(schema).filter(
			([field, { not }]) => not === undefined && (schema.required?.includes(field) === true || random.chance(0.5)),
		);
		return Object.fromEntries(fields.map(([field, property]) => [field, this.valid(property, field)]));
	}
}

function itemsOf({ items }: Schema): Schema {
	return typeof items === 'object' && !Array.isArray(items) ? items : {};
}
