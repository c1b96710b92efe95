import { inArray, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { selectCustomers } from '../customers/customer.ts';
import { selectSteps, stepsOf } from '../customers/read-journey.ts';
import { read } from '../db/client.ts';
import { affiliateClickEvents as clicks } from '../db/schema/clicks.ts';
import { customers } from '../db/schema/customers.ts';
import { affiliateSaleEvents as sales } from '../db/schema/sales.ts';
import type { EventType } from '../domain/reporting/event-position.ts';
import { notFound } from '../domain/rejection.ts';
import { explained } from './explain.ts';
import { readRetiredClick } from './retired-click.ts';
import { toEvent } from './list-events.ts';
import { selectClicks, selectLeads, selectRefunds, selectSales } from './select-events.ts';
import { selectTimelines } from './select-timelines.ts';

/** Clicks have a click id, other events a number. */
export type EventReference =
	| { readonly type: 'click'; readonly id: string }
	| { readonly type: Exclude<EventType, 'click'>; readonly id: number };

export type EventTimeline = Awaited<ReturnType<typeof readEvent>>;

/** Limits per event, and per click. */
const STEPS = 50;
const CUSTOMERS = 10;

/**
 * An event with its customers, journey and sales. One round trip, and more only for an old click. Clicks and leads include all sales of the
 * customer; sales and refunds only their own. Rejects with 404.
 */
export async function readEvent(ctx: Context, program: { readonly id: number; readonly timeZone: string }, reference: EventReference) {
	const its = idsOf(program.id, reference);
	const found = await read(ctx.db, {
		click: reference.type === 'click' ? selectClicks(ctx, its.keys) : undefined,
		lead: reference.type === 'lead' ? selectLeads(ctx, its.keys) : undefined,
		sale: reference.type === 'sale' ? selectSales(ctx, its.keys) : undefined,
		lineItems: reference.type === 'sale' ? selectLineItems(ctx, its.keys) : undefined,
		refund: reference.type === 'refund' ? selectRefunds(ctx, its.keys) : undefined,
		visit: reference.type === 'click' ? selectVisit(ctx, its.keys) : undefined,
		customers: selectCustomers(ctx, inArray(customers.id, its.customerIds)).orderBy(customers.id).limit(CUSTOMERS),
		...selectSteps(ctx, sql`(SELECT min(id) FROM ${its.customerIds})`, { limit: STEPS }),
		stories: selectTimelines(ctx, program.id, its.sales),
	});
	const [row] = [...found.click, ...found.lead, ...found.sale, ...found.refund];
	const retired = !row && reference.type === 'click' ? await readRetiredClick(ctx, program.id, reference.id) : undefined;
	const event = row ?? retired?.event;
	if (!event) throw notFound('Event');
	return {
		event: toEvent(reference.type, event),
		lineItems: lineItemsIn(found.lineItems[0]?.lineItems ?? null),
		visit: found.visit[0] ?? retired?.visit ?? null,
		customers: found.customers,
		steps: stepsOf(found, STEPS).steps,
		sales: found.stories.map((sale) => explained(sale, ctx, program)),
	};
}

function idsOf(programId: number, { type, id }: EventReference): { readonly keys: SQL; readonly customerIds: SQL; readonly sales: SQL } {
	const row = (column: string, table: string) =>
		sql`(SELECT ${sql.raw(`${column} FROM ${table}`)} WHERE id = ${id} AND program_id = ${programId})`;
	switch (type) {
		case 'click': {
			const customerIds = sql`(SELECT id FROM customers WHERE click_id = ${id} AND +program_id = ${programId} LIMIT ${CUSTOMERS})`;
			const keys = sql`(SELECT click_id FROM affiliate_click_events WHERE click_id = ${id} AND +program_id = ${programId})`;
			return { keys, customerIds, sales: inArray(sales.customerId, customerIds) };
		}
		case 'lead': {
			const customerIds = row('customer_id AS id', 'affiliate_lead_events');
			return { keys: row('id', 'affiliate_lead_events'), customerIds, sales: inArray(sales.customerId, customerIds) };
		}
		case 'sale': {
			const keys = row('id', 'affiliate_sale_events');
			return { keys, customerIds: row('customer_id AS id', 'affiliate_sale_events'), sales: inArray(sales.id, keys) };
		}
		case 'refund': {
			const saleIds = row('sale_id', 'refund_events');
			const customerIds = sql`(SELECT customer_id AS id FROM affiliate_sale_events WHERE id = ${saleIds})`;
			return { keys: row('id', 'refund_events'), customerIds, sales: inArray(sales.id, saleIds) };
		}
	}
}

/** Line items may be long, so lists omit them. */
function selectLineItems(ctx: Context, keys: SQL) {
	return ctx.db.select({ lineItems: sales.lineItems }).from(sales).where(inArray(sales.id, keys));
}

function lineItemsIn(json: string | null): unknown {
	return json === null ? null : JSON.parse(json);
}

/** Lists omit these details. */
function selectVisit(ctx: Context, keys: SQL) {
	return ctx.db
		.select({
			linkId: clicks.referralLinkId,
			pageUrl: clicks.pageUrl,
			pageTitle: clicks.pageTitle,
			referrerUrl: clicks.referrerUrl,
			source: clicks.source,
			userAgent: clicks.userAgent,
			language: clicks.language,
			timeZone: clicks.timezone,
			subId: clicks.subId,
		})
		.from(clicks)
		.where(inArray(clicks.clickId, keys));
}
