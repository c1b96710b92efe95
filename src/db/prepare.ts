import { fillPlaceholders, type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { type AnswerOf, type Bound, boundOf, type Database, type Reads, type Statement } from './statement.ts';

// Statements of the requests that come all the time. Drizzle takes longer to make the text of a sale's statements than SQLite
// to run them, so their text is made once per isolate, with a placeholder for each value.

/** What a statement may compare with or write: a value, or what stands for one until the statement is bound. */
export type Param<Value> = Value | SQL<Value>;

export type Params<Values> = { readonly [Name in keyof Values]: Param<Values[Name]> };

/** What stands for the values that will be sent: nothing for one that is left undefined. */
export type Placeholders<Values> = {
	readonly [Name in keyof Values]: SQL<Exclude<Values[Name], undefined>> | Extract<Values[Name], undefined>;
};

/** What statements are made with: a Context, or the like of one whose moment is not known yet. */
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
 * A statement whose text is made when it is first sent, once for each set of values that are not undefined. Reads by name become one
 * statement, which D1 answers in less time than a batch: only for few and small rows, as all that one of them finds is one value, of
 * 2 MB at most. `from` is a FROM clause of one row at most that all of them may speak of; without the row none finds anything.
 */
export function prepare<Sent extends object, Made extends Statement | Reads>(
	make: (asking: StatementContext, given: Placeholders<Sent>) => Made,
	from?: (given: Placeholders<Sent>) => SQL,
) {
	const texts = new Map<string, Bound<AnswerOf<Made>>>();
	return ({ db, now }: Sender, sent: Sent): Bound<AnswerOf<Made>> => {
		const values: SentValues = { ...sent, now };
		const names = Object.keys(values).filter((name) => values[name] !== undefined);
		const key = names.join();
		let text = texts.get(key);
		if (!text) {
			const given = pseudonyms<Sent>(names);
			text = boundOf(make({ db, now: standIn('now') }, given), withConstants, from?.(given));
			texts.set(key, text);
		}
		return { ...text, params: fillPlaceholders(text.params, values) };
	};
}

function pseudonyms<Sent>(names: readonly string[]): Placeholders<Sent> {
	return Object.fromEntries(names.map((name) => [name, standIn(name)])) as Placeholders<Sent>;
}

function standIn(name: string): SQL<never> {
	return sql`${sql.placeholder(name)}`;
}

const dialect = new SQLiteAsyncDialect();

/** Drizzle names the id that SQLite is to give, and SQLite then looks whether a row has it already. */
const ID_TO_BE_GIVEN = /^(insert into "\w+" \()"id", (.*? values \()null, /;

/** Constants stand in the text: SQLite plans anew whenever a parameter changes that might decide whether a partial index serves. */
function withConstants(statement: SQLWrapper): { sql: string; params: unknown[] } {
	const { sql: text, params } = dialect.sqlToQuery(statement.getSQL().inlineParams());
	return { sql: text.replace(ID_TO_BE_GIVEN, '$1$2'), params };
}
