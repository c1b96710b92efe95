import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { searchPatternsOf } from '../domain/search-text.ts';
import { findByText, type FoundByText, isWrittenIn, type Searchable, selectByText } from './find-by-text.ts';

const PARTNERS: Searchable = {
	table: 'partners',
	parts: 'partner_parts',
	id: 'partner_id',
	unfilled: (programId, isWritten) => sql`
		SELECT p.id FROM programs g CROSS JOIN partners p CROSS JOIN partner_programs pp
		WHERE g.id = ${programId} AND p.workspace_id = g.workspace_id AND p.search_text IS NULL
			AND pp.program_id = g.id AND pp.partner_id = p.id AND (${isWritten(sql`p.name`)} OR ${isWritten(sql`p.email`)})`,
};

/** Finds partners whose name or email address contains the search. One round trip. */
export async function findPartners(ctx: Context, programId: number, search: string): Promise<FoundByText> {
	return findByText(ctx, programId, PARTNERS, search);
}

/** For a shared round trip. Pass its result to `foundOf`. */
export function selectFoundPartners(ctx: Context, programId: number, search: string) {
	return selectByText(ctx, programId, PARTNERS, search);
}

export function isAmong(column: SQL, { ids }: FoundByText): SQL {
	return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
}

/** The search as a condition on a partner that is read anyway, without a limit on matches. */
export function isFound(search: string, table: string): SQL {
	const patterns = searchPatternsOf(search);
	if (!patterns) return sql`false`;
	const [text, name, email] = ['search_text', 'name', 'email'].map((column) => sql.raw(`${table}.${column}`));
	return sql`CASE WHEN ${text} IS NULL THEN ${isWrittenIn(sql`${name}`, search)} OR ${isWrittenIn(sql`${email}`, search)}
		ELSE instr(${text}, ${patterns.part}) > 0 END`;
}
