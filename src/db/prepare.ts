import { is, Param, Placeholder, type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { readBound } from './client.ts';
import {
	type AnswerOf,
	type Bound,
	boundOf,
	type Database,
	type Found,
	type Read,
	type Statement,
	together,
	type Together,
} from './statement.ts';

// Statements of the requests that come all the time. Drizzle takes longer to make the text of a sale's statements than SQLite
// to run them, so their text is made once per isolate, with a placeholder for each value.

/** What a statement may compare with or write: a value, or what stands for one until the statement is bound. */
export type Operand<Value> = Value | SQL<Value> | Placeholder<string, Value>;

export type Operands<Values> = { readonly [Name in keyof Values]: Operand<Values[Name]> };

/** What statements are made with: a Context, or the like of one whose moment is not known yet. */
export interface Asking {
	readonly db: Database;
	/** ms since the epoch. */
	readonly now: Operand<number>;
}

/** Values that are known when a statement is sent; undefined is bound as null. */
type Values = Readonly<Record<string, unknown>>;
export type Given<Sent> = { readonly [Name in keyof Sent]-?: Placeholder<string, Sent[Name]> };

interface Sender {
	readonly db: Database;
	readonly now: number;
}

/** A statement that is made of placeholders when it is first sent, and from then on bound to values alone. */
export function prepare<Sent extends object, Made extends Statement>(make: (asking: Asking, given: Given<Sent>) => Made) {
	let made: { text: Bound<AnswerOf<Made>>; slots: readonly Slot[] } | undefined;
	return ({ db, now }: Sender, sent: Sent): Bound<AnswerOf<Made>> => {
		if (!made) {
			const text = boundOf(make({ db, now: placeholders.now }, givenOf<Sent>()), inlined);
			made = { text, slots: text.params.map(slotOf) };
		}
		return { ...made.text, params: fill(made.slots, { ...sent, now }) };
	};
}

/** The same for reads that go together: see readTogether. */
export function prepareReads<Sent extends object, Reads extends Record<string, Read>>(make: (asking: Asking, given: Given<Sent>) => Reads) {
	let made: { reads: Together<Reads>; slots: readonly Slot[] } | undefined;
	return ({ db, now }: Sender, sent: Sent): Promise<Found<Reads>> => {
		if (!made) {
			const reads = together(make({ db, now: placeholders.now }, givenOf<Sent>()), inlined);
			made = { reads, slots: reads.params.map(slotOf) };
		}
		return readBound(db, made.reads, fill(made.slots, { ...sent, now }));
	};
}

const placeholders = { now: sql.placeholder('now') };

function givenOf<Sent>(): Given<Sent> {
	return new Proxy({} as Given<Sent>, { get: (_, name) => sql.placeholder(String(name)) });
}

const dialect = new SQLiteAsyncDialect();

/** With its constants in the text: SQLite plans anew whenever a parameter changes that might decide whether a partial index serves. */
function inlined(statement: SQLWrapper): { sql: string; params: unknown[] } {
	return dialect.sqlToQuery(statement.getSQL().inlineParams());
}

type Slot = (sent: Values) => unknown;

function slotOf(param: unknown): Slot {
	if (is(param, Placeholder)) return (sent) => sent[param.name] ?? null;
	if (is(param, Param) && is(param.value, Placeholder)) {
		const { encoder, value } = param;
		return (sent) => {
			const given = sent[value.name] ?? null;
			return given === null ? null : encoder.mapToDriverValue(given);
		};
	}
	return () => param;
}

function fill(slots: readonly Slot[], sent: Values): unknown[] {
	return slots.map((slot) => slot(sent));
}
