import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { RetiredClick } from '../clicks/click-files.ts';
import { findClicksInFiles } from '../clicks/find-retired-clicks.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { affiliateClickEvents as clicks } from '../db/schema/clicks.ts';
import { customers } from '../db/schema/customers.ts';
import { processorReferences } from '../db/schema/processor.ts';
import { affiliateSaleEvents as sales, refundEvents as refunds } from '../db/schema/sales.ts';
import { unindexed } from '../db/unindexed.ts';
import { invalid, notFound } from '../domain/rejection.ts';
import { namesOneOf } from './named.ts';

export type PersonQuery =
	| { readonly by: 'customerId'; readonly id: number }
	| { readonly by: 'customerKey' | 'email' | 'clickId'; readonly id: string };

/** All customers of a program that are the same person, and their ids. */
export type Person = Awaited<ReturnType<typeof findPerson>>;

/** More suggests that many people share an address or device. */
const CUSTOMERS = 500;
const SALES = 20_000;
const REFUNDS = 20_000;

/**
 * Finds a person's customers: by an id, by the same email address, and without a key by the same click. Customers of that click with their
 * own key are other people on a shared device. One round trip, and more only for old clicks without a row, which may be in files. Without
 * their bucket it fails, unless `mayLackFiles` and something else was found. Rejects with 404 if nothing is stored.
 */
export async function findPerson(
	ctx: Context,
	program: { readonly id: number },
	query: PersonQuery,
	{ mayLackFiles = false }: { readonly mayLackFiles?: boolean } = {},
) {
	const stored = await readPerson(ctx, program, query);
	requireFew(stored);
	const isSkipped = mayLackFiles && !ctx.clickFiles && !isNobody(stored);
	const filed = isSkipped ? [] : await retiredClicksOf(ctx, program.id, stored, query);
	const found = { ...stored, clicks: [...stored.clicks, ...filed] };
	if (isNobody(found)) throw notFound('Customer');
	return { ...found, ...idsOf(found, query) };
}

/** One round trip. */
async function readPerson(ctx: Context, program: { readonly id: number }, query: PersonQuery) {
	const seed = await seedOf(ctx, program.id, query);
	const ids = sql`(WITH RECURSIVE person(id) AS (${seed}
		UNION SELECT c.id FROM person p JOIN customers o ON o.id = p.id JOIN customers c ON c.program_id = o.program_id AND c.email_hash = o.email_hash
		UNION SELECT c.id FROM person p JOIN customers o ON o.id = p.id JOIN customers c ON c.click_id = o.click_id AND c.customer_key IS NULL
		LIMIT ${CUSTOMERS + 1}) SELECT id FROM person)`;
	const clickId = query.by === 'clickId' ? query.id : null;
	return read(ctx.db, {
		customers: ctx.db
			.select()
			.from(customers)
			.where(sql`${customers.id} IN ${ids}`),
		clicks: ctx.db
			.select()
			.from(clicks)
			.where(
				and(
					unindexed(clicks.programId, program.id),
					sql`${clicks.clickId} IN (SELECT click_id FROM customers WHERE id IN ${ids} UNION SELECT ${clickId})`,
				),
			),
		sales: ctx.db
			.select({ id: sales.id, transactionId: sales.transactionId, subscriptionId: sales.subscriptionId, invoiceId: sales.invoiceId })
			.from(sales)
			.where(sql`${sales.customerId} IN ${ids}`)
			.limit(SALES + 1),
		refundIds: ctx.db
			.selectDistinct({ refundId: refunds.refundId })
			.from(refunds)
			.where(sql`${refunds.saleId} IN (SELECT id FROM affiliate_sale_events WHERE customer_id IN ${ids})
				AND ${refunds.source} = 'endpoint' AND ${refunds.refundId} IS NOT NULL`)
			.limit(REFUNDS + 1),
		refusals: ctx.db.all<Refused>(sql`
			WITH names(value) AS MATERIALIZED (
				SELECT customer_key FROM customers WHERE id IN ${ids}
				UNION SELECT email FROM customers WHERE id IN ${ids} AND email_hash IS NOT NULL
				UNION SELECT click_id FROM customers WHERE id IN ${ids} UNION SELECT ${query.by === 'customerId' ? null : query.id})
			SELECT id, operation, source, status, code, message, transaction_id, click_id, customer_key, amount_cents, currency, count, first_at, last_at
			FROM refusals WHERE program_id = ${program.id} AND ${namesOneOf(sql`names`)} ORDER BY id`),
		bindings: ctx.db
			.select({ processorId: processorReferences.processorId })
			.from(processorReferences)
			.where(
				and(
					eq(processorReferences.programId, program.id),
					or(
						sql`${processorReferences.customerKey} IN (SELECT customer_key FROM customers WHERE id IN ${ids})`,
						sql`${processorReferences.customerKey} IS NULL AND (
							${processorReferences.clickId} IN (SELECT click_id FROM customers WHERE id IN ${ids} AND click_sequence = 0) OR ${processorReferences.clickId} = ${clickId})`,
						inArray(processorReferences.processorId, sql`(SELECT subscription_id FROM affiliate_sale_events WHERE customer_id IN ${ids})`),
					),
				),
			),
	});
}

function isNobody(found: Readonly<Record<'customers' | 'clicks' | 'refusals', readonly unknown[]>>): boolean {
	return found.customers.length + found.clicks.length + found.refusals.length === 0;
}

/** Clicks without a row. */
async function retiredClicksOf(ctx: Context, programId: number, stored: Found, query: PersonQuery): Promise<RetiredClick[]> {
	const ids = idsOf(stored, query).clickIds.filter((id) => !stored.clicks.some(({ clickId }) => clickId === id));
	return findClicksInFiles(ctx, programId, ids);
}

function requireFew(found: Readonly<Record<'customers' | 'sales' | 'refundIds', readonly unknown[]>>): void {
	if (found.customers.length > CUSTOMERS) throw invalid(`More than ${CUSTOMERS} customers have this id. Select one with customer_id`);
	if (found.sales.length > SALES)
		throw invalid(`More than ${SALES} sales match. Request the customers of this id one at a time with customer_id`);
	if (found.refundIds.length > REFUNDS)
		throw invalid(`More than ${REFUNDS} refunds match. Request the customers of this id one at a time with customer_id`);
}

async function seedOf(ctx: Context, programId: number, query: PersonQuery): Promise<SQL> {
	const ofProgram = sql`SELECT id FROM customers WHERE program_id = ${programId} AND`;
	switch (query.by) {
		case 'customerId':
			return sql`${ofProgram} id = ${query.id}`;
		case 'customerKey':
			return sql`${ofProgram} customer_key = ${query.id}`;
		case 'clickId':
			// Others who share this click have their own keys.
			return sql`${ofProgram} click_id = ${query.id} AND click_sequence = 0`;
		case 'email': {
			const hashes = JSON.stringify(await ctx.secrets.emailHashes(query.id));
			return sql`${ofProgram} email_hash IN (SELECT value FROM json_each(${hashes})) UNION ${ofProgram} email = ${query.id}`;
		}
	}
}

interface Refused {
	readonly id: number;
	readonly operation: string;
	readonly source: string;
	readonly status: number;
	readonly code: string;
	readonly message: string;
	readonly transaction_id: string | null;
	readonly click_id: string | null;
	readonly customer_key: string | null;
	readonly amount_cents: number | null;
	readonly currency: string | null;
	readonly count: number;
	readonly first_at: number;
	readonly last_at: number;
}

interface Found {
	readonly customers: readonly {
		readonly customerKey: string | null;
		readonly email: string | null;
		readonly emailHash: string | null;
		readonly clickId: string | null;
		readonly clickSequence: number | null;
		readonly erasedAt: number | null;
	}[];
	readonly clicks: readonly { clickId: string }[];
	readonly sales: readonly { transactionId: string; subscriptionId: string | null; invoiceId: string | null }[];
	readonly bindings: readonly { processorId: string }[];
}

function idsOf(found: Found, query: PersonQuery) {
	const living = found.customers.filter(({ erasedAt }) => erasedAt === null);
	const queriedBy = (by: PersonQuery['by']) => (query.by === by && typeof query.id === 'string' ? [query.id] : []);
	return {
		keys: distinct([...living.map(({ customerKey }) => customerKey), ...queriedBy('customerKey')]),
		/** Reported by a backend, or in the query. */
		emails: distinct([...living.map(({ email, emailHash }) => (emailHash === null ? null : email)), ...queriedBy('email')]),
		/** Typed on a page, where anybody can type any address, so they identify only the person's own rows. */
		typedEmails: distinct(living.map(({ email }) => email)),
		/** Clicks whose first customer is somebody else. Rows with only such a click and no key belong to that customer. */
		sharedClickIds: distinct(living.map(({ clickId }) => clickId)).filter(
			(id) => !living.some(({ clickId, clickSequence }) => clickId === id && clickSequence === 0),
		),
		clickIds: distinct([
			...living.map(({ clickId }) => clickId),
			...found.clicks.map(({ clickId }) => clickId),
			...queriedBy('clickId'),
		]).filter((id) => !id.startsWith('erased_')),
		subscriptionIds: distinct([
			...found.sales.map(({ subscriptionId }) => subscriptionId),
			...found.bindings.map((row) => row.processorId),
		]),
		/** Ids of single payments stay, because refunds refer to them. */
		paymentIds: distinct(found.sales.flatMap(({ transactionId, invoiceId }) => [transactionId, invoiceId])),
	};
}

export function distinct(values: readonly (string | null | undefined)[]): string[] {
	return [...new Set(values.filter((value) => typeof value === 'string'))];
}
