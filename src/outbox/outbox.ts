import { type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import type { Param } from '../db/prepare.ts';

/** Known before the write, so that rows can be sent without a read. */
export type OutboxKey = readonly [programId: number, id: string];

export interface NewOutboxRow {
	readonly id: string;
	/** JSON of MetricDelta[]. */
	readonly moves: string;
}

interface RowOfSale {
	readonly id: Param<string>;
	readonly kind: SQL;
	readonly subjectId: SQL;
	readonly moves: Param<string>;
	readonly now: Param<number>;
	readonly from: SQL;
}

/** Takes the values of sale `s` and its customer at that point of the batch. */
export function insertOutboxRow({ id, kind, subjectId, moves, now, from }: RowOfSale): SQL {
	return sql`
		INSERT INTO outbox (program_id, id, kind, subject_id, moves, referral_link_id, product_id, country, source, created_at)
		SELECT s.program_id, ${id}, ${kind}, ${subjectId}, ${moves}, c.referral_link_id, s.product_id, c.country, c.source, ${now}
		FROM ${from} JOIN customers c ON c.id = s.customer_id`;
}

/** Some effects exist only for backends. */
export function hasWebhooks(programId: SQLWrapper): SQL<number> {
	return sql`EXISTS (SELECT 1 FROM webhook_endpoints WHERE program_id = ${programId} AND deleted_at IS NULL AND disabled_at IS NULL)`;
}

export function hasPostbacks(programId: SQLWrapper): SQL<number> {
	return sql`EXISTS (SELECT 1 FROM postbacks WHERE program_id = ${programId} AND deleted_at IS NULL AND disabled_at IS NULL)`;
}

/** One row per approved commission if a backend receives approvals. Partners see them in the portal. */
export function insertApprovals({ db, now }: Pick<Context, 'db' | 'now'>, operation: string, commissionIds: SQLWrapper) {
	return db.run(sql`
		INSERT INTO outbox (program_id, id, kind, subject_id, created_at)
		SELECT program_id, ${`${operation}:`} || id, 'commission_approved', id, ${now} FROM commissions
		WHERE id IN ${commissionIds} AND ${hasWebhooks(sql`commissions.program_id`)}`);
}

/** Sends committed rows to the queue after the response. Cron finds those that get lost. */
export function sendEffects(ctx: Context, rows: readonly OutboxKey[]): void {
	if (rows.length > 0) ctx.defer(trySend(ctx, rows));
}

async function trySend(ctx: Context, rows: readonly OutboxKey[]): Promise<void> {
	try {
		await ctx.effects.send({ version: 2, kind: 'effects', rows });
	} catch (error) {
		ctx.log({ level: 'warn', event: 'effects_not_sent', rows: rows.length, ...describeFault(error) });
	}
}
