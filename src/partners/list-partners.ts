import { and, eq, gt, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { begins } from './commission-filter.ts';
import { type Partner, selectPartnersWhere } from './partner.ts';

export const PARTNER_ORDERS = ['newest', 'oldest', 'name'] as const;
export type PartnerOrder = (typeof PARTNER_ORDERS)[number];

export interface PartnersRequest extends PageRequest {
	readonly status?: Partner['status'] | undefined;
	readonly groupId?: number | undefined;
	/** How the name or the e-mail address begins, in any letter case. */
	readonly search?: string | undefined;
	/** By default the newest first. */
	readonly sort?: PartnerOrder | undefined;
}

/** The partners of a program; those whose membership has ended too. */
export async function listPartners(ctx: Context, program: { readonly id: number }, request: PartnersRequest): Promise<Page<Partner>> {
	const { status, groupId, search, sort = 'newest', cursor, limit } = request;
	const rows = await selectPartnersWhere(
		ctx,
		and(
			eq(partnerPrograms.programId, program.id),
			status === undefined ? undefined : eq(partnerPrograms.status, status),
			groupId === undefined ? undefined : eq(partnerPrograms.groupId, groupId),
			search === undefined ? undefined : isFound(search),
			cursor === undefined ? undefined : isBehind(program.id, sort, cursor),
		),
	)
		.orderBy(...orderOf(sort))
		.limit(limit + 1);
	return pageOf(rows, limit);
}

/** By how the name or the e-mail address begins; `table` is what the statement calls the partners. */
export function isFound(search: string, table = 'partners'): SQL {
	return sql`(${begins(`${table}.name COLLATE NOCASE`, sql`${search}`)} OR ${begins(`${table}.email`, sql`${search.toLowerCase()}`)})`;
}

const byName = sql`${partners.name} COLLATE NOCASE`;

function orderOf(sort: PartnerOrder): SQL[] {
	if (sort === 'name') return [byName, sql`${partnerPrograms.partnerId}`];
	return [sort === 'newest' ? sql`${partnerPrograms.partnerId} DESC` : sql`${partnerPrograms.partnerId}`];
}

/** What comes after a partner in the list; nothing after one of another program. */
function isBehind(programId: number, sort: PartnerOrder, cursor: number): SQL | undefined {
	if (sort === 'newest') return lt(partnerPrograms.partnerId, cursor);
	if (sort === 'oldest') return gt(partnerPrograms.partnerId, cursor);
	const name = sql`(
		SELECT p.name FROM partners p JOIN partner_programs pp ON pp.partner_id = p.id
		WHERE p.id = ${cursor} AND pp.program_id = ${programId})`;
	return or(sql`${byName} > ${name}`, sql`${byName} = ${name} AND ${partnerPrograms.partnerId} > ${cursor}`);
}
