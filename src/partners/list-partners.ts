import { and, eq, gt, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { pageOf, type PageRequest } from '../domain/page.ts';
import { foundBehind, type FoundByText, type FoundPage, inOrderOf } from './find-by-text.ts';
import { findPartners, isAmong } from './find-partners.ts';
import { type Partner, selectPartnersWhere } from './partner.ts';

export const PARTNER_ORDERS = ['newest', 'oldest', 'name', 'match'] as const;
export type PartnerOrder = (typeof PARTNER_ORDERS)[number];

export interface PartnersRequest extends PageRequest {
	readonly status?: Partner['status'] | undefined;
	readonly groupId?: number | undefined;
	/** A part of the name or email address. */
	readonly search?: string | undefined;
	/** By default the best match of a search, else the newest, comes first. */
	readonly sort?: PartnerOrder | undefined;
}

/** The partners of a program, including those whose membership has ended. */
export async function listPartners(ctx: Context, program: { readonly id: number }, request: PartnersRequest): Promise<FoundPage<Partner>> {
	const { search, cursor, limit } = request;
	const found = search === undefined ? undefined : await findPartners(ctx, program.id, search);
	const { sort = found ? 'match' : 'newest' } = request;
	if (found && sort === 'match') return bestMatches(ctx, program.id, request, found);
	const rows = await selectPartnersWhere(
		ctx,
		and(
			...conditionsOf(program.id, request),
			found && isAmong(sql`${partnerPrograms.partnerId}`, found),
			cursor === undefined ? undefined : isBehind(program.id, sort, cursor),
		),
	)
		.orderBy(...orderOf(sort))
		.limit(limit + 1);
	return { ...pageOf(rows, limit), isComplete: found?.isComplete };
}

/** In the order in which the search found them. Balances and links are only read for the page. */
async function bestMatches(ctx: Context, programId: number, request: PartnersRequest, found: FoundByText): Promise<FoundPage<Partner>> {
	const { cursor, limit } = request;
	const behind = foundBehind(found, cursor);
	const ofPage = sql`
		SELECT ${partnerPrograms.id} FROM json_each(${JSON.stringify(behind)}) AS found CROSS JOIN ${partnerPrograms}
		WHERE ${and(sql`${partnerPrograms.partnerId} = found.value`, ...conditionsOf(programId, request))}
		ORDER BY found.key LIMIT ${limit + 1}`;
	const rows = await selectPartnersWhere(ctx, sql`${partnerPrograms.id} IN (${ofPage})`);
	return { ...pageOf(inOrderOf(behind, rows), limit), isComplete: found.isComplete };
}

function conditionsOf(programId: number, { status, groupId }: PartnersRequest): (SQL | undefined)[] {
	return [
		eq(partnerPrograms.programId, programId),
		status === undefined ? undefined : eq(partnerPrograms.status, status),
		groupId === undefined ? undefined : eq(partnerPrograms.groupId, groupId),
	];
}

const byName = sql`${partners.name} COLLATE NOCASE`;

function orderOf(sort: PartnerOrder): SQL[] {
	if (sort === 'name') return [byName, sql`${partnerPrograms.partnerId}`];
	return [sort === 'oldest' ? sql`${partnerPrograms.partnerId}` : sql`${partnerPrograms.partnerId} DESC`];
}

/** What comes after a partner in the list; nothing after one of another program. */
function isBehind(programId: number, sort: PartnerOrder, cursor: number): SQL | undefined {
	if (sort === 'newest' || sort === 'match') return lt(partnerPrograms.partnerId, cursor);
	if (sort === 'oldest') return gt(partnerPrograms.partnerId, cursor);
	const name = sql`(
		SELECT p.name FROM partners p JOIN partner_programs pp ON pp.partner_id = p.id
		WHERE p.id = ${cursor} AND pp.program_id = ${programId})`;
	return or(sql`${byName} > ${name}`, sql`${byName} = ${name} AND ${partnerPrograms.partnerId} > ${cursor}`);
}
