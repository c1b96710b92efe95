import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Found } from '../db/client.ts';
import { affiliateClickEvents } from '../db/schema/clicks.ts';
import { customers } from '../db/schema/customers.ts';
import { postbackDeliveries, postbacks } from '../db/schema/postbacks.ts';
import { amountText, filledPostback } from '../domain/webhooks/postback.ts';

type DeliveryRow = Found<{ rows: ReturnType<typeof selectDeliveries> }>['rows'][number];

/** A call of a postback. */
export interface PostbackDelivery extends Omit<DeliveryRow, 'clickId' | 'subId' | 'template' | 'partnerProgramId'> {
	readonly address: string;
}

const TEST_SUB_ID = 'test';

/** The values that fill the URL. */
const FILLING = {
	event: postbackDeliveries.event,
	isTest: postbackDeliveries.isTest,
	amountCents: postbackDeliveries.amountCents,
	currency: postbackDeliveries.currency,
	template: postbacks.url,
	partnerProgramId: postbacks.partnerProgramId,
	clickId: sql<string | null>`${customers.clickId}`,
	subId: sql<string | null>`coalesce(${customers.subId}, ${affiliateClickEvents.subId})`,
} as const;

/** Newest first. */
export function selectDeliveries(ctx: Context, ...conditions: readonly (SQL | undefined)[]) {
	return ctx.db
		.select({
			id: postbackDeliveries.id,
			state: postbackDeliveries.state,
			attempts: postbackDeliveries.attempts,
			nextAttemptAt: postbackDeliveries.nextAttemptAt,
			lastAttemptAt: postbackDeliveries.lastAttemptAt,
			lastStatus: postbackDeliveries.lastStatus,
			lastResponse: postbackDeliveries.lastResponse,
			lastError: postbackDeliveries.lastError,
			createdAt: postbackDeliveries.createdAt,
			...FILLING,
		})
		.from(postbackDeliveries)
		.innerJoin(postbacks, eq(postbacks.id, postbackDeliveries.postbackId))
		.leftJoin(customers, eq(customers.id, postbackDeliveries.customerId))
		.leftJoin(affiliateClickEvents, eq(affiliateClickEvents.clickId, customers.clickId))
		.where(and(...conditions))
		.orderBy(desc(postbackDeliveries.id));
}

export async function toDelivery(ctx: Context, row: DeliveryRow): Promise<PostbackDelivery> {
	const { clickId: _clickId, subId: _subId, template: _template, partnerProgramId: _id, ...delivery } = row;
	return { ...delivery, address: await addressOf(ctx, row) };
}

type Filling = Pick<DeliveryRow, keyof typeof FILLING>;

/** A keyed hash replaces the click id: stable per click, but useless for reporting leads (decision 50). */
export async function addressOf(ctx: Context, delivery: Filling): Promise<string> {
	const { event, isTest, amountCents, currency, clickId, subId, template, partnerProgramId } = delivery;
	return filledPostback(template, {
		event,
		amount: amountText(amountCents, currency),
		currency,
		click_id: clickId === null ? '' : await ctx.secrets.pseudonym(`postback ${partnerProgramId} ${clickId}`),
		sub_id: isTest ? TEST_SUB_ID : (subId ?? ''),
	});
}

export type DueDelivery = Found<{ rows: ReturnType<typeof selectDue> }>['rows'][number];

/** `ids` is a JSON list. */
export function selectDue(ctx: Context, ids: string) {
	return ctx.db
		.select({
			id: postbackDeliveries.id,
			receiverId: postbackDeliveries.postbackId,
			tries: postbackDeliveries.attempts,
			createdAt: postbackDeliveries.createdAt,
			failures: postbacks.failures,
			/** A real click that is not stored yet. Coupons have none. */
			waitsForClick:
				sql`${customers.clickId} IS NOT NULL AND ${customers.couponId} IS NULL AND ${affiliateClickEvents.clickId} IS NULL`.mapWith(
					Boolean,
				),
			...FILLING,
		})
		.from(postbackDeliveries)
		.innerJoin(postbacks, eq(postbacks.id, postbackDeliveries.postbackId))
		.leftJoin(customers, eq(customers.id, postbackDeliveries.customerId))
		.leftJoin(affiliateClickEvents, eq(affiliateClickEvents.clickId, customers.clickId))
		.where(sql`${postbackDeliveries.id} IN (SELECT value FROM json_each(${ids}))`);
}
