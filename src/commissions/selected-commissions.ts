import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { auditEntries } from '../db/schema/accounts.ts';
import { commissions } from '../db/schema/money.ts';
import { unindexed } from '../db/unindexed.ts';
import type { PayableCommission } from '../domain/payouts/payout.ts';

// Approving, rejecting and paying all read commissions, decide on each, and write all or nothing.

/** The revision guards the write. */
export interface SelectedCommission extends PayableCommission {
	readonly revision: number;
}

/** The most audit entries of the workspace that are searched for the operation. */
const RECENT = 1_000;

export const selectedColumns = {
	id: commissions.id,
	partnerProgramId: commissions.partnerProgramId,
	currency: commissions.currency,
	status: commissions.status,
	amountCents: commissions.amountCents,
	deductedCents: commissions.deductedCents,
	statusBeforeRefund: commissions.statusBeforeRefund,
	holdUntil: commissions.holdUntil,
	paidAt: commissions.paidAt,
	revision: commissions.revision,
} as const;

/** A statement for a batch. */
export function selectSelected(ctx: Context, programId: number, ids: readonly number[]) {
	return ctx.db.select(selectedColumns).from(commissions).where(isSelected(programId, ids));
}

export function isSelected(programId: number, ids: readonly number[]): SQL | undefined {
	return and(unindexed(commissions.programId, programId), sql`${commissions.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

/** `[[id, revision], ...]`, for json_each. */
export function revisionsOf(selected: readonly SelectedCommission[]): string {
	return JSON.stringify(selected.map((commission) => [commission.id, commission.revision]));
}

/** Whether an earlier attempt of this operation was committed, although D1's response was lost. */
export async function isCommitted(ctx: Context, workspaceId: number, operation: string): Promise<boolean> {
	const recent = ctx.db
		.select({ detail: auditEntries.detail })
		.from(auditEntries)
		.where(eq(auditEntries.workspaceId, workspaceId))
		.orderBy(desc(auditEntries.id))
		.limit(RECENT)
		.as('recent');
	const own = await ctx.db
		.select({ detail: recent.detail })
		.from(recent)
		.where(sql`json_extract(${recent.detail}, '$.operation') = ${operation}`)
		.limit(1);
	return own.length > 0;
}
