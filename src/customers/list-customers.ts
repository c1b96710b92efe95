import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type List, type ListOrder, newestFirst, readPage } from '../db/list.ts';
import { customers } from '../db/schema/customers.ts';
import type { CustomerStatus } from '../domain/attribution/attribution.ts';
import { type DayOrInstantInQuery, endOf, startOf } from '../domain/moment.ts';
import type { Page, PageRequest } from '../domain/page.ts';
import { invalid } from '../domain/rejection.ts';
import { type Customer, selectCustomers } from './customer.ts';

export interface CustomerFilter extends PageRequest {
	/** The start of a customer_key, a complete email address, or the id of the attributed click. */
	readonly search?: string | undefined;
	readonly status?: CustomerStatus | undefined;
	readonly partnerId?: number | undefined;
	/** When the customer was first recorded; both ends are included. */
	readonly from?: DayOrInstantInQuery | undefined;
	readonly to?: DayOrInstantInQuery | undefined;
}

/** The most keys that a search reads. */
const LOOKED_THROUGH = 5_000;

const NEWEST_FIRST: ListOrder = {
	...newestFirst(customers.id),
	keys: [sql`${customers.createdAt}`, sql`${customers.id}`],
	compare: (sign, id) =>
		sql`(${customers.createdAt}, ${customers.id}) ${sql.raw(sign)} (SELECT o.created_at, o.id FROM customers o WHERE o.id = ${id})`,
};

/** Newest first. */
export async function listCustomers(
	ctx: Context,
	program: { readonly id: number; readonly timeZone: string },
	filter: CustomerFilter,
): Promise<Page<Customer>> {
	const { search, status } = filter;
	const emailHashes = search?.includes('@') ? await ctx.secrets.emailHashes(search.trim().toLowerCase()) : [];
	const list: List = {
		order: NEWEST_FIRST,
		where: and(
			search === undefined ? keyOf(program.id, filter) : isFound(program.id, search, emailHashes),
			search === undefined ? undefined : isOfPartner(program.id, filter.partnerId),
			...rangeOf(program, filter),
		),
		filter: status === undefined ? undefined : eq(customers.status, status),
	};
	return readPage(ctx.db, list, filter, (isOnPage, limit) =>
		selectCustomers(ctx, isOnPage).orderBy(desc(customers.createdAt), desc(customers.id)).limit(limit),
	);
}

/** The partner and the program each have an index. */
function keyOf(programId: number, { partnerId }: CustomerFilter): SQL | undefined {
	return isOfPartner(programId, partnerId) ?? eq(customers.programId, programId);
}

function isOfPartner(programId: number, partnerId: number | undefined): SQL | undefined {
	if (partnerId === undefined) return undefined;
	return sql`${customers.partnerProgramId} = (SELECT id FROM partner_programs WHERE program_id = ${programId} AND partner_id = ${partnerId})`;
}

function rangeOf({ timeZone }: { readonly timeZone: string }, { from, to }: CustomerFilter): (SQL | undefined)[] {
	const since = from && startOf(from, timeZone);
	const until = to && endOf(to, timeZone);
	if (since !== undefined && until !== undefined && since >= until) throw invalid('from must not be after to');
	return [
		since === undefined ? undefined : sql`${customers.createdAt} >= ${since}`,
		until === undefined ? undefined : sql`${customers.createdAt} < ${until}`,
	];
}

function isFound(programId: number, search: string, emailHashes: readonly string[]): SQL {
	return sql`+${customers.programId} = ${programId} AND ${customers.id} IN (
		SELECT * FROM (
			SELECT id FROM customers
			WHERE program_id = ${programId} AND customer_key >= ${search} AND substr(customer_key, 1, length(${search})) = ${search}
				AND customer_key < ${search} || char(1114111)
			ORDER BY customer_key LIMIT ${LOOKED_THROUGH})
		UNION SELECT id FROM customers WHERE click_id = ${search}
		UNION SELECT id FROM customers WHERE program_id = ${programId} AND email = lower(trim(${search}))
		UNION SELECT id FROM customers
		WHERE program_id = ${programId} AND email_hash IN (SELECT value FROM json_each(${JSON.stringify(emailHashes)})))`;
}
