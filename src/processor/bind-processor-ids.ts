import { and, eq, gt, gte, isNotNull, isNull, notExists, or, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Context } from '../context.ts';
import { erasedAmong, hashesOf, unlessErased } from '../customers/erased-ids.ts';
import { processorReferences, processorEvents, processorEventWaits } from '../db/schema/processor.ts';
import type { ReferenceFact, SubscriptionEndFact } from '../domain/processors/processor-event.ts';
import type { ProgramScope } from '../payments/find-payment.ts';
import type { InboxEvent } from './inbox-event.ts';
import { resume } from '../inbox/resume-events.ts';

export type ReportingEvent = Pick<InboxEvent, 'id' | 'programId' | 'isTest' | 'happenedAt'>;

/**
 * Stores the payer that an event names for a subscription or invoice. The later of two events wins field by field, so the order of arrival
 * does not matter. Belongs in the batch of the event's next effect, which resumes `reportedIds`; aborts it if one of the names was erased
 * since.
 */
export async function bindProcessorIds(
	ctx: Context,
	event: ReportingEvent,
	binding: ReferenceFact | undefined,
	reportedIds: readonly string[],
) {
	if (!binding) return { byReference: undefined, bound: undefined };
	const { attribution, beginning, bill, isOrganic } = binding;
	const { processorIds, reference, productId = null, clickId = null } = attribution;
	const customerKey = attribution.customerKey ?? reference ?? null;
	const isReference = customerKey === null ? null : customerKey === reference;
	const { programId, isTest, happenedAt } = event;
	const isSilent = customerKey === null && clickId === null;
	const erased = await hashesOf(ctx, [customerKey, clickId, ...processorIds]);
	const reportedAt = unlessErased(programId, erased, isSilent ? 0 : happenedAt);
	const values = { customerKey, isReference, clickId, productId, reportedAt, ...beginning, ...bill, ...(isOrganic && { isUnsold: true }) };
	const wakes = isSilent && !bill ? [] : processorIds.filter((processorId) => !reportedIds.includes(processorId));
	return {
		byReference:
			wakes.length > 0
				? resume(ctx, event, wakes, { waits: notExists(selectKnown(ctx, event, binding)), events: isInTime(ctx) })
				: undefined,
		bound: ctx.db
			.insert(processorReferences)
			.values(processorIds.map((processorId) => ({ programId, isTest, processorId, ...values })))
			.onConflictDoUpdate({
				target: [processorReferences.programId, processorReferences.isTest, processorReferences.processorId],
				set: {
					customerKey: strongerKey('customer_key'),
					isReference: strongerKey('is_reference'),
					clickId: laterClickId(),
					productId: sql`coalesce(excluded.product_id, product_id)`,
					reportedAt: sql`max(told_at, excluded.told_at)`,
					beganAt: earlierOf('began_at'),
					trialBeganAt: earlierOf('trial_began_at'),
					...(bill && { chargedCents: sql`excluded.charged_cents`, saleCents: sql`excluded.sale_cents` }),
					...(isOrganic && { isUnsold: true }),
				},
				...(isSilent && !bill && { setWhere: sql`${isEarlier('began_at')} OR ${isEarlier('trial_began_at')}` }),
			})
			.returning({ processorId: processorReferences.processorId }),
	};
}

function isInTime({ now }: Context) {
	return sql`(${isNull(processorEvents.settledAt)} OR ${gt(processorEvents.expiresAt, now)})`;
}

/** Records that a payment with these ids has no sale, and resumes events that wait for one of them. Does not store erased ids. */
export async function leaveUnsold(ctx: Context, event: ReportingEvent & Pick<InboxEvent, 'hasErasures'>, ids: readonly string[]) {
	if (ids.length === 0) return { byUnsold: undefined, unsold: undefined };
	const { programId, isTest } = event;
	const erased = event.hasErasures ? await erasedAmong(ctx, programId, ids) : new Set<string>();
	const kept = [...new Set(ids)].filter((id) => !erased.has(id));
	const reportedAt = unlessErased(programId, await hashesOf(ctx, kept), 0);
	const unsold = kept.map((processorId) => ({ programId, isTest, processorId, reportedAt, isUnsold: true }));
	const byUnsold = resume(ctx, event, ids, { events: isNull(processorEvents.settledAt) });
	if (unsold.length === 0) return { byUnsold, unsold: undefined };
	return {
		byUnsold,
		unsold: ctx.db
			.insert(processorReferences)
			.values(unsold)
			.onConflictDoUpdate({
				target: [processorReferences.programId, processorReferences.isTest, processorReferences.processorId],
				set: { isUnsold: true },
				setWhere: isNull(processorReferences.isUnsold),
			})
			.returning({ processorId: processorReferences.processorId }),
	};
}

/** The reference, if it is stored with these values or newer ones already. */
function selectKnown(
	ctx: Context,
	{ programId, isTest, happenedAt }: ReportingEvent,
	{ attribution: { customerKey, clickId }, bill }: ReferenceFact,
) {
	const isKnown = (stored: AnySQLiteColumn, reported: string | undefined) =>
		reported === undefined
			? undefined
			: and(
					isNotNull(stored),
					or(gt(processorReferences.reportedAt, happenedAt), and(eq(processorReferences.reportedAt, happenedAt), gte(stored, reported))),
				);
	return ctx.db
		.select({ processorId: processorReferences.processorId })
		.from(processorReferences)
		.where(
			and(
				eq(processorReferences.programId, programId),
				eq(processorReferences.isTest, isTest),
				eq(processorReferences.processorId, processorEventWaits.processorId),
				isKnown(processorReferences.customerKey, customerKey),
				isKnown(processorReferences.clickId, clickId),
				bill && isNotNull(processorReferences.saleCents),
			),
		);
}

export function endOfSubscription(
	ctx: Context,
	{ programId, isTest }: Pick<ProgramScope, 'programId' | 'isTest'>,
	{ subscriptionId, endedAt }: SubscriptionEndFact,
) {
	const binding = and(
		eq(processorReferences.programId, programId),
		eq(processorReferences.isTest, isTest),
		eq(processorReferences.processorId, subscriptionId),
	);
	return {
		known: ctx.db.select({ processorId: processorReferences.processorId }).from(processorReferences).where(binding),
		mark: ctx.db
			.update(processorReferences)
			.set({ endedAt })
			.where(and(binding, isNull(processorReferences.endedAt))),
	};
}

/** A customer key overrides a reference, whichever arrived later. */
function strongerKey(column: 'customer_key' | 'is_reference') {
	const [stored, incoming] = [sql.raw(column), sql.raw(`excluded.${column}`)];
	return sql`CASE
		WHEN excluded.customer_key IS NULL THEN ${stored}
		WHEN customer_key IS NULL OR excluded.is_reference < is_reference THEN ${incoming}
		WHEN excluded.is_reference > is_reference THEN ${stored}
		WHEN excluded.told_at > told_at OR (excluded.told_at = told_at AND excluded.customer_key > customer_key) THEN ${incoming}
		ELSE ${stored} END`;
}

function laterClickId() {
	return sql`CASE
		WHEN excluded.click_id IS NULL THEN click_id
		WHEN click_id IS NULL OR excluded.told_at > told_at OR (excluded.told_at = told_at AND excluded.click_id > click_id) THEN excluded.click_id
		ELSE click_id END`;
}

type BeginningColumn = 'began_at' | 'trial_began_at';

function earlierOf(column: BeginningColumn) {
	const [stored, incoming] = [sql.raw(column), sql.raw(`excluded.${column}`)];
	return sql`CASE WHEN ${isEarlier(column)} THEN ${incoming} ELSE ${stored} END`;
}

function isEarlier(column: BeginningColumn) {
	const [stored, incoming] = [sql.raw(column), sql.raw(`excluded.${column}`)];
	return sql`(${incoming} IS NOT NULL AND (${stored} IS NULL OR ${incoming} < ${stored}))`;
}
