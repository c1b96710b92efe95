import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read, type Statement, write } from '../db/client.ts';
import { coupons } from '../db/schema/coupons.ts';
import { partners, referralLinks } from '../db/schema/partners.ts';
import { searchTextOf } from '../domain/search-text.ts';

interface Unfilled {
	readonly id: number;
	readonly fields: readonly string[];
}

/**
 * Fills search texts of rows that are older than decision 66, and returns how many. An index lists them, so a tick without any costs almost
 * nothing.
 */
export async function fillSearchTexts(ctx: Context, limit: number): Promise<number> {
	const waiting = await read(ctx.db, {
		partners: ctx.db
			.select({ id: partners.id, name: partners.name, email: partners.email })
			.from(partners)
			.where(sql`${partners.searchText} IS NULL`)
			.limit(limit),
		links: ctx.db
			.select({ id: referralLinks.id, shortLink: referralLinks.shortLink })
			.from(referralLinks)
			.where(sql`${referralLinks.searchText} IS NULL`)
			.limit(limit),
		coupons: ctx.db
			.select({ id: coupons.id, code: coupons.code })
			.from(coupons)
			.where(sql`${coupons.searchText} IS NULL`)
			.limit(limit),
	});
	const writes = [
		...fill(
			ctx,
			'partners',
			['name', 'email'],
			waiting.partners.map(({ id, name, email }) => ({ id, fields: [name, email] })),
		),
		...fill(
			ctx,
			'referral_links',
			['short_link'],
			waiting.links.map(({ id, shortLink }) => ({ id, fields: [shortLink] })),
		),
		...fill(
			ctx,
			'coupons',
			['code'],
			waiting.coupons.map(({ id, code }) => ({ id, fields: [code] })),
		),
	];
	if (writes.length > 0) await write(ctx.db, writes);
	return Object.values(waiting).reduce((sum, rows) => sum + rows.length, 0);
}

/** The next tick fills a row that changed in between. */
function fill(ctx: Context, table: string, columns: readonly string[], rows: readonly Unfilled[]): Statement[] {
	if (rows.length === 0) return [];
	const texts = rows.map(({ id, fields }) => [id, searchTextOf(fields), ...fields]);
	const isUnchanged = columns.map((column, index) => `${column} = filled.value ->> ${index + 2}`).join(' AND ');
	return [
		ctx.db.run(sql`
			UPDATE ${sql.raw(table)} SET search_text = filled.value ->> 1 FROM json_each(${JSON.stringify(texts)}) AS filled
			WHERE ${sql.raw(`${table}.id`)} = filled.value ->> 0 AND search_text IS NULL AND ${sql.raw(isUnchanged)}`),
	];
}
