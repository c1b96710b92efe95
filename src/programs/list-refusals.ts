import { and, desc, eq, lt } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusals } from '../db/schema/refusals.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import type { RefusedCall } from '../domain/refusal.ts';

export interface RefusalFilter extends PageRequest {
	readonly operation?: RefusedCall['operation'] | undefined;
	readonly isRoutine?: boolean | undefined;
	readonly transactionId?: string | undefined;
	readonly clickId?: string | undefined;
	readonly customerKey?: string | undefined;
}

export type Refusal = Omit<typeof refusals.$inferSelect, 'programId' | 'hour' | 'fingerprint'>;

/** The calls of a program that were refused, the newest first. One trip. */
export async function listRefusals(ctx: Context, programId: number, { cursor, limit, ...filter }: RefusalFilter): Promise<Page<Refusal>> {
	const { operation, isRoutine, transactionId, clickId, customerKey } = filter;
	const rows = await selectRefusals(ctx)
		.where(
			and(
				eq(refusals.programId, programId),
				operation && eq(refusals.operation, operation),
				isRoutine === undefined ? undefined : eq(refusals.isRoutine, isRoutine),
				transactionId === undefined ? undefined : eq(refusals.transactionId, transactionId),
				clickId === undefined ? undefined : eq(refusals.clickId, clickId),
				customerKey === undefined ? undefined : eq(refusals.customerKey, customerKey),
				cursor === undefined ? undefined : lt(refusals.id, cursor),
			),
		)
		.orderBy(desc(refusals.id))
		.limit(limit + 1);
	return pageOf(rows, limit);
}

/** For the caller to choose among: a program has so few that no index but its own is needed. */
export function selectRefusals(ctx: Context) {
	return ctx.db
		.select({
			id: refusals.id,
			operation: refusals.operation,
			source: refusals.source,
			status: refusals.status,
			code: refusals.code,
			message: refusals.message,
			transactionId: refusals.transactionId,
			clickId: refusals.clickId,
			customerKey: refusals.customerKey,
			amountCents: refusals.amountCents,
			currency: refusals.currency,
			isRoutine: refusals.isRoutine,
			count: refusals.count,
			firstAt: refusals.firstAt,
			lastAt: refusals.lastAt,
		})
		.from(refusals);
}
