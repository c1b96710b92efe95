import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import type { PayOutcome } from '../domain/payouts/due.ts';
import { notFound } from '../domain/rejection.ts';
import type { ResultPosition } from '../domain/run.ts';

export interface PaidResult {
	readonly outcome: PayOutcome;
	readonly partnerProgramId: number;
	readonly partnerId: number;
	readonly partnerName: string;
	readonly currency: string;
	/** Null if the account got no payout. */
	readonly payoutId: number | null;
	/** Paid, or left out. */
	readonly amountCents: number;
	readonly recoveredCents: number;
	readonly commissions: number;
	/** Payable commissions above the limit of one payout. The next run pays them. */
	readonly commissionsLeft: number;
}

export interface ResultsRequest {
	readonly outcome?: PayOutcome | undefined;
	readonly cursor?: ResultPosition | undefined;
	readonly limit: number;
}

export interface ResultPage {
	readonly rows: readonly PaidResult[];
	readonly next: ResultPosition | undefined;
}

/** Accounts left out come first, then paid ones, each by partner. One round trip. Rejects with 404. */
export async function listRunResults(
	ctx: Context,
	program: { readonly id: number },
	runId: number,
	{ outcome, cursor, limit }: ResultsRequest,
): Promise<ResultPage> {
	const isOfRun = sql`r.run_id = ${runId}`;
	const conditions = [
		isOfRun,
		outcome && sql`r.outcome = ${outcome}`,
		cursor && sql`(r.outcome, r.partner_program_id, r.currency) > (${cursor.outcome}, ${cursor.partnerProgramId}, ${cursor.currency})`,
	].filter((condition) => condition !== undefined);
	const { runs, rows } = await read(ctx.db, {
		runs: ctx.db.all<{ id: number }>(sql`SELECT id FROM runs WHERE id = ${runId} AND program_id = ${program.id}`),
		rows: ctx.db.all<PaidResult>(sql`
			SELECT r.outcome, r.partner_program_id AS partnerProgramId, p.id AS partnerId, p.name AS partnerName, r.currency, o.id AS payoutId,
				coalesce(o.amount_cents, r.detail ->> 'amount_cents', 0) AS amountCents,
				coalesce(o.recovered_cents, r.detail ->> 'recovered_cents', 0) AS recoveredCents,
				coalesce(r.detail ->> 'commissions', 0) AS commissions, coalesce(r.detail ->> 'left', 0) AS commissionsLeft
			FROM run_results r
			CROSS JOIN partner_programs pp ON pp.id = r.partner_program_id
			CROSS JOIN partners p ON p.id = pp.partner_id
			LEFT JOIN payouts o ON o.run_id = r.run_id AND o.partner_program_id = r.partner_program_id AND o.currency = r.currency
			WHERE ${sql.join(conditions, sql` AND `)}
			ORDER BY r.outcome, r.partner_program_id, r.currency LIMIT ${limit + 1}`),
	});
	if (runs.length === 0) throw notFound('Run');
	const shown = rows.slice(0, limit);
	return { rows: shown, next: rows.length > limit ? shown.at(-1) : undefined };
}
