import type { Schema } from '@cfworker/json-schema';
import type { DocumentOperation } from '../testing/openapi/conformance.ts';
import type { Random } from '../testing/random.ts';
import { type Defs, propertiesOf, resolved } from './schema.ts';
import { HOSTILE, type Values } from './values.ts';

// Requests to one route: valid, with a mistake, or raw bytes.

/** A documented route. */
export interface Target {
	readonly method: string;
	/** `/api/v1/programs/{id}` */
	readonly template: string;
	readonly operation: DocumentOperation;
}

export interface Credentials {
	readonly key: string;
	readonly session: string;
	readonly others: readonly string[];
}

export interface Shot {
	/** Includes the query string. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | Uint8Array<ArrayBuffer> | undefined;
	/** A word for how the request was changed. */
	readonly kind: string;
}

const MEDIA_TYPES = [
	'application/json',
	'text/plain',
	'text/plain;charset=UTF-8',
	'application/x-www-form-urlencoded',
	'multipart/form-data',
	';;;',
	'',
];
const ACCEPTS = ['application/json', 'text/csv', '*/*', 'text/csv;q=0', 'text/csv;q=x, ;;', 'image/png'];
const ORIGINS = [
	'https://shop.example',
	'https://www.shop.example',
	'https://elsewhere.example',
	'null',
	'https://*',
	'x'.repeat(3_000),
	'https://%00',
	'http://[::1',
];
/** Values for documented headers and cookies other than Origin. */
const HEADER_VALUES = ['', '1', '0', 'document', 'iframe', 'en-GB,en;q=0.9', ';,;,', '*', '\u00e9', 'x'.repeat(3_000)];
const IDS = `0 -1 01 1.5 1e3 abc null __proto__ %00 %20 %FF %ED%A0%80 % %F0%9F%98%80 1%2F2 %2e%2e ; 9007199254740991 9007199254740993
	99999999999999999999 1'-- ${'x'.repeat(3_000)}`.split(/\s+/);

export class Requests {
	readonly #random: Random;
	readonly #values: Values;
	readonly #credentials: Credentials;
	readonly #defs: Defs;

	constructor(random: Random, values: Values, credentials: Credentials, defs: Defs) {
		this.#random = random;
		this.#values = values;
		this.#credentials = credentials;
		this.#defs = defs;
	}

	shoot(target: Target): Shot {
		const random = this.#random;
		const { text, kind } = this.#body(target);
		const isPathHostile = random.chance(0.06);
		const isQueryHostile = random.chance(0.35);
		return {
			path: `${this.#path(target, isPathHostile)}${this.#query(target, isQueryHostile)}`,
			headers: this.#headers(target, text !== undefined),
			body: text,
			kind: [kind, ...(isPathHostile ? ['path'] : [])].join('+'),
		};
	}

	#path({ template, operation }: Target, isHostile: boolean): string {
		const random = this.#random;
		return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
			if (isHostile && random.chance(0.6)) return random.pick(IDS);
			const schema = operation.parameters?.find((parameter) => parameter.name === name)?.schema ?? {};
			return encodeURIComponent(String(this.#values.valid(schema, name === 'id' ? idNameOf(template) : name)));
		});
	}

	#query({ operation }: Target, isHostile: boolean): string {
		const random = this.#random;
		const parameters = operation.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
		const chosen = random.some(parameters, 0.4).map(({ name, schema }): string => {
			const value = !isHostile ? this.#values.valid(schema, name) : random.chance(0.5) ? this.#values.edge(schema) : this.#values.hostile();
			return `${name}=${encodeURIComponent(textOf(value).toWellFormed())}`;
		});
		const extra =
			isHostile && random.chance(0.2)
				? [random.pick(['%', '__proto__=1', '&&=', 'limit=1&limit=x', 'limit[]=1', `x=${'y'.repeat(3_000)}`])]
				: [];
		const all = [...chosen, ...extra];
		return all.length === 0 ? '' : `?${all.join('&')}`;
	}

	#headers({ operation }: Target, hasBody: boolean): Record<string, string> {
		const random = this.#random;
		const headers: Record<string, string> = {
			'User-Agent': random.chance(0.1) ? random.pick(['', 'curl/8', 'Googlebot', 'x'.repeat(3_000)]) : 'Mozilla/5.0',
		};
		const type = random.chance(0.8) ? 'application/json' : random.pick(MEDIA_TYPES);
		if (hasBody && type !== '') headers['Content-Type'] = type;
		if (random.chance(0.15)) headers['Accept'] = random.pick(ACCEPTS);
		const isFromPage = operation.parameters?.some(({ name }) => name === 'Origin') ?? false;
		if (random.chance(isFromPage ? 0.6 : 0.1)) headers['Origin'] = random.pick(ORIGINS);
		for (const { name, in: place } of operation.parameters ?? []) {
			if (name === 'Origin' || name === 'User-Agent' || !random.chance(0.2)) continue;
			const value = random.chance(0.5) ? this.#values.known(name) : random.pick(HEADER_VALUES);
			if (place === 'header') headers[name] = value;
			if (place === 'cookie') headers['Cookie'] = `a=b; ${name}=${value}`;
		}
		if (random.chance(0.05)) headers['CF-Connecting-IP'] = random.pick(['192.0.2.1', 'x'.repeat(2_000), '']);
		const token = this.#authorization(operation);
		if (token !== undefined) headers['Authorization'] = token;
		return headers;
	}

	#authorization({ security }: DocumentOperation): string | undefined {
		const random = this.#random;
		const { key, session, others } = this.#credentials;
		const schemes = security.flatMap((scheme) => Object.keys(scheme));
		if (random.chance(0.03)) return undefined;
		if (random.chance(0.1)) {
			return random.pick([
				'',
				'Bearer',
				'Bearer ',
				'Bearer \u00a0',
				'bearer x',
				'Basic eDp5',
				'Bearer \u00e9',
				`Bearer ${'x'.repeat(5_000)}`,
				'Bearer prg_0',
				'Bearer a b',
			]);
		}
		if (random.chance(0.12)) return `Bearer ${random.pick([key, session, ...others])}`;
		if (schemes.includes('programKey')) return security.length > 1 && random.chance(0.5) ? undefined : `Bearer ${key}`;
		return schemes.includes('sessionToken') ? `Bearer ${session}` : undefined;
	}

	#body({ operation, method }: Target): { text: Shot['body']; kind: string } {
		const random = this.#random;
		const schema = operation.requestBody?.content['application/json']?.schema;
		if (!schema) {
			const isSent = method === 'delete' || (method === 'post' && random.chance(0.2));
			return { text: isSent && random.chance(0.2) ? '{}' : undefined, kind: 'no body' };
		}
		const valid = random.chance(0.3) ? this.#example(operation, schema) : this.#values.valid(schema);
		const draw = random.below(100);
		if (draw < 38) return { text: JSON.stringify(valid), kind: 'valid' };
		if (draw < 78) return { text: JSON.stringify(this.#mutated(schema, valid)), kind: 'mutated' };
		if (draw < 84) return { text: JSON.stringify(this.#values.hostile()) ?? 'undefined', kind: 'any JSON' };
		return { text: this.#raw(JSON.stringify(valid)), kind: 'raw' };
	}

	/** One of the document's examples. */
	#example({ requestBody }: DocumentOperation, schema: Schema): unknown {
		const examples = Object.values(requestBody?.content['application/json']?.examples ?? {});
		return examples.length === 0 ? this.#values.valid(schema) : this.#random.pick(examples).value;
	}

	/** Changes one or two fields: sets an edge value or a hostile value, removes the field, or adds one with an unknown name. */
	#mutated(schema: Schema, valid: unknown): unknown {
		const random = this.#random;
		if (typeof valid !== 'object' || valid === null) return valid;
		const properties = this.#propertiesOf(schema);
		const body: Record<string, unknown> = { ...valid };
		for (let count = random.between(1, 2); count > 0; count -= 1) {
			const field = random.pick([...properties.keys()]);
			const property = properties.get(field) ?? {};
			const inner = this.#propertiesOf(property);
			const draw = random.below(100);
			if (draw < 15) delete body[field];
			else if (draw < 40) body[field] = this.#values.edge(property);
			else if (draw < 45) body[random.pick(['unknown', '__proto__', 'constructor', '', 'toString', 'ｆｕｌｌ'])] = 1;
			else if (draw < 65 && inner.size > 0)
				body[field] = { ...Object(body[field]), [random.pick([...inner.keys()])]: this.#values.hostile() };
			else body[field] = this.#values.hostile();
		}
		return body;
	}

	#propertiesOf(schema: Schema): ReadonlyMap<string, Schema> {
		const known = resolved(schema, this.#defs);
		if (known.anyOf) return this.#propertiesOf(this.#random.pick(known.anyOf));
		return new Map(propertiesOf(known));
	}

	/** Bytes that are not JSON, or JSON that is not a valid body. */
	#raw(valid: string): Shot['body'] {
		const random = this.#random;
		const bytes = new TextEncoder().encode(valid);
		switch (random.below(14)) {
			case 0:
				return '';
			case 1:
				return valid.slice(0, random.below(valid.length));
			case 2:
				return bytes.map((byte) => (random.chance(0.05) ? random.below(256) : byte));
			case 3:
				return Uint8Array.from({ length: random.below(200) }, () => random.below(256));
			case 4:
				return random.pick([nest(33, '[', ']', ''), nest(40, '{"a":', '}', '1'), nest(20_000, '[', ']', ''), '['.repeat(30_000)]);
			case 5:
				return `{"additional_data":${nest(random.between(25, 40), '{"a":', '}', '1')}}`;
			case 6:
				return Uint8Array.of(0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d);
			case 7:
				return new Uint8Array(new Uint16Array([0xfeff, 0x7b, 0x7d]).buffer);
			case 8:
				return random.pick([
					'null',
					'42',
					'"x"',
					'[]',
					'[{}]',
					'true',
					'1e999',
					'{} {}',
					"{'a':1}",
					'{"a":1,}',
					'{"a":NaN}',
					'\ufeff{}',
					' {} ',
					'{"a":1,"a":2}',
				]);
			case 9:
				return valid.replace('{', '{"__proto__":{"a":1},');
			case 10:
				return random.chance(0.1) ? `{"a":"${'x'.repeat(70_000)}"}` : `{"a":"${'x'.repeat(3_000)}"}`;
			case 11:
				return new URLSearchParams({ a: random.pick(HOSTILE.filter((value) => typeof value === 'string')) }).toString();
			case 12:
				return `${valid.slice(0, -1)},"${'k'.repeat(200)}":1}`;
			default:
				return valid.replaceAll('"', "'");
		}
	}
}

function nest(depth: number, open: string, close: string, core: string): string {
	return open.repeat(depth) + core + close.repeat(depth);
}

/** The kind of known ids to use for `{id}`. */
function idNameOf(template: string): string {
	const thing = /\/(\w+(?:-\w+)*)\/\{id\}/.exec(template)?.[1] ?? '';
	return { programs: 'programId', notifications: 'notificationId', 'dead-letters': 'deadLetterId', sessions: 'sessionId' }[thing] ?? 'id';
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}
