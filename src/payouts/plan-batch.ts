import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import { requirePassword } from '../accounts/require-password.ts';
import type { Context } from '../context.ts';
import { type Statement, write } from '../db/client.ts';
import { payouts } from '../db/schema/money.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { payoutDetails } from '../db/schema/payout-details.ts';
import { BATCH_ROWS, type BatchLeftOut, takesCurrency, whyNotInBatch } from '../domain/payouts/payout-batch.ts';
import type { PayoutDetails, PayoutMethod } from '../domain/payouts/payout-details.ts';
import { openDetails } from './payout-details.ts';
import { isIn } from './payout.ts';

/** The most payouts read for one file. */
const MOST_PAYOUTS = 10_000;

export interface BatchRequest {
	readonly method: PayoutMethod;
	readonly currency: string;
	readonly status: 'made' | 'sent';
	/** The last payout of the previous file. */
	readonly cursor?: number | undefined;
}

interface BatchFile {
	readonly currency: string;
	readonly payouts: number;
}

type FoundPayout = Awaited<ReturnType<typeof selectBatch>>[number];

export interface Batch {
	readonly rows: readonly { readonly payout: FoundPayout; readonly details: PayoutDetails }[];
	readonly leftOut: readonly { readonly payout: FoundPayout; readonly reason: BatchLeftOut }[];
	/** Null after the last file. */
	readonly nextCursor: number | null;
}

/** The payouts in a file, oldest first, and those left out, with reasons. One round trip. Writes nothing. */
export async function planBatch(ctx: Context, program: { readonly id: number }, request: BatchRequest): Promise<Batch> {
	const selected = await selectBatch(ctx, program.id, request);
	const found = selected.slice(0, MOST_PAYOUTS);
	const rows: Batch['rows'][number][] = [];
	const leftOut: Batch['leftOut'][number][] = [];
	for (const payout of found) {
		const reason = whyNotInBatch(payout, request.method) ?? (rows.length === BATCH_ROWS[request.method] ? 'file_full' : undefined);
		const details = reason === undefined && payout.sealed !== null ? await openDetails(ctx, payout.partner.id, payout.sealed) : undefined;
		if (details && takesCurrency(details, payout)) rows.push({ payout, details });
		else leftOut.push({ payout, reason: reason ?? (details ? 'other_currency' : 'unreadable') });
	}
	const isFull = leftOut.some(({ reason }) => reason === 'file_full');
	const last = isFull ? rows.at(-1)?.payout : selected.length > found.length ? found.at(-1) : undefined;
	return { rows, leftOut, nextCursor: last?.id ?? null };
}

/** Has full account numbers, so it needs the password, is audited first and notifies the owners. Rejects with 403 for a wrong password. */
export async function exportBatch(ctx: Context, program: ManagedProgram, request: BatchRequest, password: string): Promise<Batch> {
	const { id: programId, workspaceId, actor } = program;
	const action = 'payout.export';
	await requirePassword(ctx, actor, password, { workspaceId, programId, action });
	const batch = await planBatch(ctx, program, request);
	const ids = batch.rows.map(({ payout }) => payout.id);
	const detail = { method: request.method, currency: request.currency, payouts: ids.length, first_id: ids[0], last_id: ids.at(-1) };
	await write(ctx.db, [auditProgram(ctx, program, { action, detail }), notifyOwners(ctx, program, detail)]);
	return batch;
}

function notifyOwners(ctx: Context, { id, workspaceId }: ManagedProgram, { currency, payouts: count }: BatchFile): Statement {
	const detail = JSON.stringify({ currency, payouts: count });
	return ctx.db.run(sql`
		INSERT INTO notifications (user_id, program_id, kind, detail, outbox_id, created_at)
		SELECT user_id, ${id}, 'payout_file_made', ${detail}, ${crypto.randomUUID()}, ${ctx.now}
		FROM members WHERE workspace_id = ${workspaceId} AND role = 'owner' AND deactivated_at IS NULL`);
}

function selectBatch(ctx: Context, programId: number, { currency, status, cursor = 0 }: BatchRequest) {
	return ctx.db
		.select({
			id: payouts.id,
			partner: { id: partners.id, name: partners.name },
			currency: payouts.currency,
			amountCents: payouts.amountCents,
			method: payoutDetails.method,
			summary: payoutDetails.summary,
			sealed: payoutDetails.sealed,
		})
		.from(payouts)
		.innerJoin(partnerPrograms, eq(partnerPrograms.id, payouts.partnerProgramId))
		.innerJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.leftJoin(payoutDetails, eq(payoutDetails.partnerId, partners.id))
		.where(
			and(
				eq(payouts.programId, programId),
				isIn(status),
				eq(payouts.currency, currency),
				gt(payouts.amountCents, 0),
				gt(payouts.id, cursor),
			),
		)
		.orderBy(asc(payouts.id))
		.limit(MOST_PAYOUTS + 1);
}
