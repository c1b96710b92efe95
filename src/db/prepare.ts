import { fillPlaceholders, type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { type AnswerOf, type Bound, boundOf, type Database, type Reads, type Statement } from './statement.ts';

// Drizzle takes longer to build a sale's statements than SQLite takes to run them, so the text of frequent statements is built once per
// isolate, with placeholders.

/** A value, or its placeholder until the statement is bound. */
export type Param<Value> = Value | SQL<Value>;

export type Params<Values> = { readonly [Name in keyof Values]: Param<Values[Name]> };

/** Undefined values stay undefined. */
export type Placeholders<Values> = {
	readonly [Name in keyof Values]: SQL<Exclude<Values[Name], undefined>> | Extract<Values[Name], undefined>;
};

/** A Context, or one whose `now` is a placeholder. */
export interface StatementContext {
	readonly db: Database;
	/** ms since the epoch. */
	readonly now: Param<number>;
}

interface Sender {
	readonly db: Database;
	readonly now: number;
}

type SentValues = Readonly<Record<string, unknown>>;

/**
 * Builds a statement's text once for each set of defined values. Named reads become one statement, which D1 answers faster than a batch;
 * only for few, small rows, because each result is one value of at most 2 MB. `from` is a FROM clause of at most one row for the reads;
 * without that row, they find nothing.
 */
export function prepare<Sent extends object, Made extends Statement | Reads>(
	make: (ctx: StatementContext, params: Placeholders<Sent>) => Made,
	from?: (params: Placeholders<Sent>) => SQL,
) {
	const texts = new Map<string, Bound<AnswerOf<Made>>>();
	return ({ db, now }: Sender, sent: Sent): Bound<AnswerOf<Made>> => {
		const values: SentValues = { ...sent, now };
		const names = Object.keys(values).filter((name) => values[name] !== undefined);
		const key = names.join();
		let text = texts.get(key);
		if (!text) {
			const params = placeholdersOf<Sent>(names);
			text = boundOf(make({ db, now: placeholder('now') }, params), withConstants, from?.(params));
			texts.set(key, text);
		}
		return { ...text, params: fillPlaceholders(text.params, values) };
	};
}

function placeholdersOf<Sent>(names: readonly string[]): Placeholders<Sent> {
	return Object.fromEntries(names.map((name) => [name, placeholder(name)])) as Placeholders<Sent>;
}

function placeholder(name: string): SQL<never> {
	return sql`${sql.placeholder(name)}`;
}

const dialect = new SQLiteAsyncDialect();

/** Drizzle inserts NULL for ids that SQLite assigns, and SQLite then checks whether that id exists. */
const ID_TO_BE_GIVEN = /^(insert into "\w+" \()"id", (.*? values \()null, /;

/** Constants stay in the text, because SQLite replans whenever a parameter changes that may select a partial index. */
function withConstants(statement: SQLWrapper): { sql: string; params: unknown[] } {
	const { sql: text, params } = dialect.sqlToQuery(statement.getSQL().inlineParams());
	return { sql: text.replace(ID_TO_BE_GIVEN, '$1$2'), params };
}
