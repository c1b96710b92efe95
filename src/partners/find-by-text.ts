import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { isInRangeOf } from '../db/begins.ts';
import { read } from '../db/client.ts';
import type { Counted, Page, PageRequest } from '../domain/page.ts';
import { type SearchPatterns, searchPatternsOf } from '../domain/search-text.ts';

// Searches inside words (decision 66): one round trip and fewer than 5,000 read rows, however many match.

export const MOST_FOUND = 200;
/** How many rows with the rarest part are examined, and how many that begin with the search. */
const [CANDIDATES, BEGINNINGS] = [1_000, 200];
/** All rows with a part are examined if fewer than this have it. */
const RARE = 100;

export interface FoundByText {
	/** Rows that begin with the search come first, then rows with a word that does, then others; newest first within each. */
	readonly ids: readonly number[];
	/** If false, only a longer search finds the other matches. */
	readonly isComplete: boolean;
}

export interface FoundPage<Row> extends Page<Row> {
	/** Undefined without a search. */
	readonly isComplete?: boolean | undefined;
}

export interface Searchable {
	readonly table: string;
	/** The table with the parts of search texts. `id` is its column with the row's id. */
	readonly parts: string;
	readonly id: string;
	/** Selects rows whose search text cron has not filled yet, by their plain fields. */
	readonly unfilled: (programId: number, isFound: (field: SQL) => SQL) => SQL;
}

/** In reverse order before a backward cursor. Empty if the cursor's row was not found. */
export function foundAround({ ids }: FoundByText, { cursor }: PageRequest): readonly number[] {
	if (!cursor) return ids;
	const place = ids.indexOf(cursor.position);
	if (place < 0) return [];
	return cursor.isBack ? ids.slice(0, place).toReversed() : ids.slice(place + 1);
}

/** Undefined without `total`, or if a filter excludes some of the found rows. */
export function countedOf({ ids, isComplete }: FoundByText, { total, cursor }: PageRequest, isFiltered: boolean): Counted | undefined {
	if (total !== true || isFiltered) return undefined;
	const place = cursor ? ids.indexOf(cursor.position) : 0;
	return { rows: ids.length, isMore: !isComplete, ahead: cursor && !cursor.isBack ? place + 1 : place };
}

export function inOrderOf<Row extends { readonly id: number }>(ids: readonly number[], rows: readonly Row[]): Row[] {
	return rows.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

export interface FoundRows {
	/** Best match first. */
	readonly ids: readonly number[];
	readonly limit: number;
}

/** Whether a row is among the first found rows that meet the conditions. */
export function isOnPage(table: Searchable['table'], { ids, limit }: FoundRows, conditions: SQL | undefined): SQL {
	const id = sql.raw(`${table}.id`);
	return sql`${id} IN (
		SELECT ${id} FROM json_each(${JSON.stringify(ids)}) AS found CROSS JOIN ${sql.raw(table)}
		WHERE ${id} = found.value AND ${conditions} ORDER BY found.key LIMIT ${limit})`;
}

interface Looked {
	readonly programId: number;
	readonly searchable: Searchable;
	readonly patterns: SearchPatterns;
}

export async function findByText(ctx: Context, programId: number, searchable: Searchable, search: string): Promise<FoundByText> {
	const { looked } = await read(ctx.db, { looked: selectByText(ctx, programId, searchable, search) });
	return foundOf(looked);
}

/** The statement of a search, for a shared round trip; undefined if it cannot find anything. */
export function selectByText(ctx: Context, programId: number, searchable: Searchable, search: string) {
	const patterns = searchPatternsOf(search);
	if (!patterns) return undefined;
	return ctx.db
		.select({
			matches: sql<Match[]>`json_group_array(json_array(id, rank)) FILTER (WHERE rank IS NOT NULL)`.mapWith(matchesIn),
			candidates: sql<number>`coalesce(sum(candidates), 0)`,
		})
		.from(sql`(${selectLooked({ programId, searchable, patterns })} UNION ALL ${selectUnfilled(programId, searchable, search)})`);
}

interface LookedAt {
	readonly matches: readonly Match[];
	readonly candidates: number;
}

export function foundOf([looked]: readonly LookedAt[]): FoundByText {
	const { matches, candidates } = looked ?? { matches: [], candidates: 0 };
	const ranked = matches.toSorted(([id, rank], [otherId, otherRank]) => rank - otherRank || otherId - id);
	return {
		ids: ranked.slice(0, MOST_FOUND).map(([id]) => id),
		isComplete: matches.length <= MOST_FOUND && candidates < CANDIDATES,
	};
}

type Match = readonly [id: number, rank: number];

const Matches = z.array(z.tuple([z.number(), z.number()]));

function matchesIn(json: string): Match[] {
	return Matches.parse(JSON.parse(json));
}

/** The rows to examine, each once, with a rank for those that match. */
function selectLooked({ programId, searchable, patterns }: Looked): SQL {
	const { table, id } = searchable;
	const has = (pattern: string) => sql`instr(${sql.raw(`${table}.search_text`)}, ${pattern}) > 0`;
	const candidates = patterns.parts.length === 0 ? beginningParts : havingParts;
	return sql`
		SELECT ${sql.raw(`${table}.id`)} AS id, candidates,
			CASE WHEN ${has(patterns.field)} THEN 0 WHEN ${has(patterns.word)} THEN 1 WHEN ${has(patterns.part)} THEN 2 END AS rank
		FROM (
			SELECT ${sql.raw(id)} AS id, sum(is_candidate) AS candidates
			FROM (${candidates({ programId, searchable, patterns })}) GROUP BY 1
		) AS looked JOIN ${sql.raw(`${table} ON ${table}.id = looked.id`)}`;
}

/** The newest rows with the rarest part. If many rows have it, also those that begin with the first part, because they match best. */
function havingParts({ programId, searchable: { parts, id }, patterns }: Looked): SQL {
	const having = (part: SQL) => sql`FROM ${sql.raw(parts)} WHERE program_id = ${programId} AND part = ${part}`;
	const newest = sql`ORDER BY ${sql.raw(id)} DESC LIMIT`;
	const beginning = (part: string) => sql`
		SELECT * FROM (
			SELECT ${sql.raw(id)}, 0 ${having(sql`${part}`)} AND (SELECT hundredth FROM rarest) IS NOT NULL ${newest} ${BEGINNINGS})`;
	return sql`
		WITH rarest AS MATERIALIZED (
			SELECT value AS part, (SELECT ${sql.raw(id)} ${having(sql`value`)} ${newest} 1 OFFSET ${RARE - 1}) AS hundredth
			FROM json_each(${JSON.stringify(patterns.parts)}) ORDER BY hundredth LIMIT 1
		)
		SELECT * FROM (SELECT ${sql.raw(id)}, 1 AS is_candidate ${having(sql`(SELECT part FROM rarest)`)} ${newest} ${CANDIDATES})
		UNION ALL ${beginning(patterns.wordPart)}
		UNION ALL ${beginning(patterns.fieldPart)}`;
}

/** One or two characters begin a part wherever they are. Those that begin a word match best. */
function beginningParts({ programId, searchable: { parts, id }, patterns }: Looked): SQL {
	const beginning = (text: string, isCandidate: 0 | 1, limit: number) => sql`
		SELECT * FROM (
			SELECT ${sql.raw(id)}, ${isCandidate} AS is_candidate FROM ${sql.raw(parts)}
			WHERE program_id = ${programId} AND ${isInRangeOf('part', text)}
			ORDER BY part, ${sql.raw(id)} LIMIT ${limit})`;
	return sql`${beginning(patterns.part, 1, CANDIDATES)}
		UNION ALL ${beginning(patterns.word, 0, BEGINNINGS)}
		UNION ALL ${beginning(patterns.field, 0, BEGINNINGS)}`;
}

function selectUnfilled(programId: number, { unfilled }: Searchable, search: string): SQL {
	return sql`SELECT id, 0, 2 FROM (${unfilled(programId, (field) => isWrittenIn(field, search))})`;
}

/** For rows without search text. SQLite changes the case of ASCII letters only. */
export function isWrittenIn(field: SQL, search: string): SQL {
	return sql`(instr(lower(${field}), ${search.toLowerCase()}) > 0 OR instr(${field}, ${search}) > 0)`;
}
