import { and, desc, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { customers } from '../db/schema/customers.ts';
import type { CustomerStatus } from '../domain/attribution.ts';
import type { CustomerPosition } from '../domain/customer-position.ts';
import { type AskedMoment, endOf, startOf } from '../domain/moment.ts';
import { invalid } from '../domain/rejection.ts';
import { type Customer, selectCustomers } from './customer.ts';

export interface CustomerFilter {
	/** A customer_key or how it begins, a whole e-mail address, or the id of the click that it is attributed to. */
	readonly search?: string | undefined;
	readonly status?: CustomerStatus | undefined;
	readonly partnerId?: number | undefined;
	/** When it became known; both ends belong to the range. */
	readonly from?: AskedMoment | undefined;
	readonly to?: AskedMoment | undefined;
	/** The last customer that the reader has. */
	readonly cursor?: CustomerPosition | undefined;
	readonly limit: number;
}

export interface CustomerPage {
	readonly rows: readonly Customer[];
	/** Null on the last page. */
	readonly nextCursor: CustomerPosition | null;
}

/** How many events a page goes through at most, and how many keys a search: the page after it goes on from there. */
const LOOKED_THROUGH = 5_000;

interface Sought extends CustomerFilter {
	readonly programId: number;
	readonly since: number | undefined;
	readonly until: number | undefined;
	readonly emailHashes: readonly string[];
}

/**
 * The customers of a program, newest first: one trip. Each is found by the lead or sale by which it became known, of which there is
 * an index; one of customers would cost a row more for each. Where few of many meet the filters, a page may be short, or empty, and
 * still have one behind it.
 */
export async function listCustomers(
	ctx: Context,
	program: { readonly id: number; readonly timeZone: string },
	filter: CustomerFilter,
): Promise<CustomerPage> {
	const { search, limit, from, to } = filter;
	const since = from && startOf(from, program.timeZone);
	const until = to && endOf(to, program.timeZone);
	if (since !== undefined && until !== undefined && since >= until) throw invalid('from must not be after to');
	const emailHashes = search?.includes('@') ? await ctx.secrets.emailHashes(search.trim().toLowerCase()) : [];
	const sought: Sought = { ...filter, programId: program.id, since, until, emailHashes };
	const { rows, reached } = await read(ctx.db, {
		rows: selectCustomers(ctx, sql`${customers.id} IN (${search === undefined ? amongEvents(sought) : amongFound(sought)})`).orderBy(
			desc(customers.createdAt),
			desc(customers.id),
		),
		reached: search === undefined ? selectReached(ctx, sought) : undefined,
	});
	const shown = rows.slice(0, limit);
	const last = shown.at(-1);
	if (rows.length > limit && last) return { rows: shown, nextCursor: { at: last.createdAt, id: last.id } };
	const [end] = reached;
	return { rows: shown, nextCursor: end ?? null };
}

/** The ids of a page, among the customers of the newest events. */
function amongEvents(sought: Sought): SQL {
	return sql`
		WITH seen AS MATERIALIZED (${seenEvents(sought)})
		SELECT c.id FROM customers c
		WHERE ${and(
			sql`c.id IN (SELECT customer_id FROM seen)`,
			sql`(c.created_at, c.id) >= (SELECT at, customer_id FROM seen ORDER BY at, customer_id LIMIT 1)`,
			...conditionsOf(sought),
		)}
		ORDER BY c.created_at DESC, c.id DESC LIMIT ${sought.limit + 1}`;
}

/** Customers by their events: the earliest of each is of the moment at which it became known. */
function seenEvents({ programId, since, until, cursor }: Sought): SQL {
	const of = (table: string) => sql`
		SELECT created_at AS at, customer_id FROM ${sql.raw(`${table} INDEXED BY ${table}_by_program`)}
		WHERE ${and(
			sql`program_id = ${programId} AND is_test = 0`,
			since === undefined ? undefined : sql`created_at >= ${since}`,
			until === undefined ? undefined : sql`created_at < ${until}`,
			cursor && sql`created_at <= ${cursor.at} AND (created_at < ${cursor.at} OR customer_id < ${cursor.id})`,
		)}`;
	return sql`${of('affiliate_lead_events')} UNION ALL ${of('affiliate_sale_events')} ORDER BY at DESC, customer_id DESC LIMIT ${LOOKED_THROUGH}`;
}

/** Where the events that were looked through end, if there may be more. */
function selectReached(ctx: Context, sought: Sought) {
	return ctx.db
		.select({ at: sql<number>`at`, id: sql<number>`customer_id` })
		.from(sql`(${seenEvents(sought)})`)
		.limit(1)
		.offset(LOOKED_THROUGH - 1);
}

/** The ids of a page, among those that are searched for. */
function amongFound(sought: Sought): SQL {
	const { programId, search, emailHashes, cursor } = sought;
	const found = sql`
		SELECT * FROM (
			SELECT id FROM customers
			WHERE program_id = ${programId} AND customer_key >= ${search} AND substr(customer_key, 1, length(${search})) = ${search}
				AND customer_key < ${search} || char(1114111)
			ORDER BY customer_key LIMIT ${LOOKED_THROUGH})
		UNION SELECT id FROM customers WHERE click_id = ${search}
		UNION SELECT id FROM customers WHERE program_id = ${programId} AND email = lower(trim(${search}))
		UNION SELECT id FROM customers
		WHERE program_id = ${programId} AND email_hash IN (SELECT value FROM json_each(${JSON.stringify(emailHashes)}))`;
	return sql`
		SELECT c.id FROM customers c
		WHERE ${and(
			sql`c.id IN (${found}) AND c.program_id = ${programId}`,
			cursor && sql`(c.created_at, c.id) < (${cursor.at}, ${cursor.id})`,
			sought.since === undefined ? undefined : sql`c.created_at >= ${sought.since}`,
			sought.until === undefined ? undefined : sql`c.created_at < ${sought.until}`,
			...conditionsOf(sought),
		)}
		ORDER BY c.created_at DESC, c.id DESC LIMIT ${sought.limit + 1}`;
}

function conditionsOf({ programId, status, partnerId }: Sought): (SQL | undefined)[] {
	return [
		status === undefined ? undefined : sql`c.status = ${status}`,
		partnerId === undefined
			? undefined
			: sql`c.partner_program_id = (SELECT id FROM partner_programs WHERE program_id = ${programId} AND partner_id = ${partnerId})`,
	];
}
