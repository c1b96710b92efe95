import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type ListOrder, newestFirst, oldestFirst, readPage, sortedBy } from '../db/list.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { unindexed } from '../db/unindexed.ts';
import { pageOf, type PageRequest } from '../domain/page.ts';
import { countedOf, foundAround, type FoundByText, type FoundPage, inOrderOf } from './find-by-text.ts';
import { findPartners, isAmong } from './find-partners.ts';
import { type Partner, selectPartnersWhere } from './partner.ts';

export const PARTNER_ORDERS = ['newest', 'oldest', 'name', 'match'] as const;
export type PartnerOrder = (typeof PARTNER_ORDERS)[number];

export interface PartnersRequest extends PageRequest {
	readonly status?: Partner['status'] | undefined;
	readonly groupId?: number | undefined;
	/** Part of the name or email address. */
	readonly search?: string | undefined;
	/** Default: best match for a search, otherwise newest. */
	readonly sort?: PartnerOrder | undefined;
}

/** Includes partners whose membership has ended. */
export async function listPartners(ctx: Context, program: { readonly id: number }, request: PartnersRequest): Promise<FoundPage<Partner>> {
	const { search, status, groupId } = request;
	const found = search === undefined ? undefined : await findPartners(ctx, program.id, search);
	const { sort = found ? 'match' : 'newest' } = request;
	if (found && sort === 'match') return bestMatches(ctx, program.id, request, found);
	const list = {
		order: orderOf(program.id, sort),
		// The filter by group has its own index.
		where: and(
			groupId === undefined ? eq(partnerPrograms.programId, program.id) : unindexed(partnerPrograms.programId, program.id),
			groupId === undefined ? undefined : eq(partnerPrograms.groupId, groupId),
			found && isAmong(sql`${partnerPrograms.partnerId}`, found),
		),
		filter: status === undefined ? undefined : eq(partnerPrograms.status, status),
	};
	const page = await readPage(ctx.db, list, request, (isOnPage, limit) =>
		selectPartnersWhere(ctx, isOnPage).orderBy(sortedBy(list.order)).limit(limit),
	);
	return { ...page, isComplete: found?.isComplete };
}

/** Reads balances and links only for the rows of the page. */
async function bestMatches(ctx: Context, programId: number, request: PartnersRequest, found: FoundByText): Promise<FoundPage<Partner>> {
	const { limit, status, groupId } = request;
	const ofPage = sql`
		SELECT ${partnerPrograms.id} FROM json_each(${JSON.stringify(foundAround(found, request))}) AS found CROSS JOIN ${partnerPrograms}
		WHERE ${and(sql`${partnerPrograms.partnerId} = found.value`, ...conditionsOf(programId, request))}
		ORDER BY found.key LIMIT ${limit + 1}`;
	const rows = await selectPartnersWhere(ctx, sql`${partnerPrograms.id} IN (${ofPage})`);
	const counted = countedOf(found, request, status !== undefined || groupId !== undefined);
	return { ...pageOf(inOrderOf(found.ids, rows), request, counted), isComplete: found.isComplete };
}

function conditionsOf(programId: number, { status, groupId }: PartnersRequest): (SQL | undefined)[] {
	return [
		eq(partnerPrograms.programId, programId),
		status === undefined ? undefined : eq(partnerPrograms.status, status),
		groupId === undefined ? undefined : eq(partnerPrograms.groupId, groupId),
	];
}

const FROM = sql`${partnerPrograms} JOIN ${partners} ON ${partners.id} = ${partnerPrograms.partnerId}`;

const byName = sql`${partners.name} COLLATE NOCASE`;

function orderOf(programId: number, sort: PartnerOrder): ListOrder {
	const byId = sort === 'newest' ? newestFirst(partnerPrograms.partnerId) : oldestFirst(partnerPrograms.partnerId);
	if (sort !== 'name') return byId;
	return {
		...byId,
		from: FROM,
		keys: [byName, byId.id],
		compare: (sign, id) => sql`(${byName}, ${byId.id}) ${sql.raw(sign)} (
			SELECT p.name, p.id FROM partners p JOIN partner_programs pp ON pp.partner_id = p.id WHERE p.id = ${id} AND pp.program_id = ${programId})`,
	};
}
