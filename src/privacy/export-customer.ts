import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { affiliateLeadEvents as leads } from '../db/schema/customers.ts';
import { commissions } from '../db/schema/money.ts';
import { processorReferences } from '../db/schema/processor.ts';
import { affiliateSaleEvents as sales, refundEvents as refunds } from '../db/schema/sales.ts';
import { readBodies } from './export-bodies.ts';
import { type PersonQuery, findPerson, type Person } from './person.ts';
import { beginSearch, isOwnBody, isOwnDeadLetter, type Search, withPayers } from './search.ts';

const DEAD_LETTERS = 500;

export type PersonalData = Awaited<ReturnType<typeof exportCustomer>>;

/**
 * Exports and audits all of a person's data in a program. Three round trips, and another per few thousand processor events, because no
 * index covers bodies. Rejects with 404 if nothing is stored.
 */
export async function exportCustomer(ctx: Context, program: ManagedProgram, query: PersonQuery) {
	const person = await findPerson(ctx, program, query);
	// A matching address is no proof and could expose the data of others.
	const search = { ...beginSearch(person), emails: [] };
	const named = await readBodies(ctx, program.id, search);
	const known = withPayers(search, named);
	// The payer's ids find further bodies.
	const bodies = known.processorIds.length > search.processorIds.length ? await readBodies(ctx, program.id, known) : named;
	const ids = JSON.stringify(search.customerIds);
	const ofPerson = sql`(SELECT value FROM json_each(${ids}))`;
	const ofSales = sql`(SELECT id FROM affiliate_sale_events WHERE customer_id IN ${ofPerson})`;
	const audit = search.customerIds.map((id) => auditProgram(ctx, program, { action: 'customer.export', subjectId: id }));
	const found = await write(ctx.db, audit.length > 0 ? audit : [auditProgram(ctx, program, { action: 'customer.export' })], {
		leads: ctx.db
			.select()
			.from(leads)
			.where(sql`${leads.id} IN (${leadsOf(program.id, search)})`)
			.orderBy(asc(leads.id)),
		sales: ctx.db
			.select()
			.from(sales)
			.where(sql`${sales.customerId} IN ${ofPerson}`)
			.orderBy(asc(sales.id)),
		commissions: ctx.db
			.select()
			.from(commissions)
			.where(sql`${commissions.saleId} IN ${ofSales}`)
			.orderBy(asc(commissions.id)),
		refunds: ctx.db
			.select()
			.from(refunds)
			.where(sql`${refunds.saleId} IN ${ofSales}`)
			.orderBy(asc(refunds.id)),
		bindings: ctx.db
			.select()
			.from(processorReferences)
			.where(
				and(
					eq(processorReferences.programId, program.id),
					// With every column of the key, this takes one index lookup per id.
					inArray(processorReferences.isTest, [false, true]),
					inArray(processorReferences.processorId, valuesOf(search.processorIds)),
					isOfNoOther(search),
				),
			),
		deadLetters: ctx.db.all<DeadLetterRow>(selectDeadLetters(program.id, known)),
		notifications: ctx.db.all<NotificationRow>(sql`
				SELECT id, kind, detail, created_at FROM notifications
				WHERE program_id = ${program.id} AND detail ->> 'sale_id' IN ${ofSales} ORDER BY id`),
	});
	return {
		...found,
		bodies: bodies.filter(({ payload }) => isOwnBody(payload, known)),
		customers: person.customers,
		clicks: person.clicks,
		refusals: person.refusals.filter((row) => isOwn(row, person)),
	};
}

/** Leaves out a refusal with another person's key, even if its transaction_id contains this person's key. */
function isOwn({ customer_key: key, click_id: clickId }: Person['refusals'][number], { keys, clickIds }: Person): boolean {
	return key === null ? clickId === null || clickIds.includes(clickId) : keys.includes(key);
}

interface DeadLetterRow {
	readonly id: number;
	readonly body: string;
	readonly reason: string;
	readonly created_at: number;
}

interface NotificationRow {
	readonly id: number;
	readonly kind: string;
	readonly detail: string;
	readonly created_at: number;
}

function leadsOf(programId: number, { since, customerIds, keys, pseudonyms }: Search): SQL {
	return sql`
		SELECT id FROM affiliate_lead_events INDEXED BY affiliate_lead_events_by_program
		WHERE program_id = ${programId} AND created_at >= ${since}
			AND (customer_id IN ${valuesOf(customerIds)} OR customer_key IN ${valuesOf(keys)}
				OR (customer_id IS NULL AND customer_key IS NULL AND click_id IN ${valuesOf(pseudonyms.map(([clickId]) => clickId))}))`;
}

/** The processor's subscription may now belong to somebody else. */
function isOfNoOther({ keys }: Search): SQL {
	return sql`(${processorReferences.customerKey} IS NULL OR ${processorReferences.customerKey} IN ${valuesOf(keys)})`;
}

function selectDeadLetters(programId: number, search: Search): SQL {
	return sql`
		SELECT id, body, reason, created_at FROM dead_letters
		WHERE program_id = ${programId} AND ${isOwnDeadLetter(sql`body`, search)}
		ORDER BY id LIMIT ${DEAD_LETTERS}`;
}

function valuesOf(values: readonly unknown[]): SQL {
	return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}
