import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { type Placeholders, prepare } from '../db/prepare.ts';
import type { MetricDelta } from '../domain/reporting/metric-deltas.ts';
import { insertOutboxRow, type NewOutboxRow, type OutboxKey } from '../outbox/outbox.ts';

/** The operation's plain id may be the key of the sale that it recorded. */
export function refundOutboxKey(programId: number, opId: string): OutboxKey {
	return [programId, `${opId}:refund`];
}

export const insertRefundOutbox = prepare(
	({ db, now }, { saleId, opId, moves }: Placeholders<Pick<NewOutboxRow, 'moves'> & { saleId: number; opId: string }>) =>
		db.run(sql`
		${insertOutboxRow({
			id: sql`${opId} || ':refund'`,
			kind: sql`'sale_refunded'`,
			subjectId: sql`r.id`,
			moves,
			now,
			from: sql`refund_events r JOIN affiliate_sale_events s ON s.id = r.sale_id`,
		})}
		WHERE r.sale_id = ${saleId} AND r.op_id = ${opId}`),
);

/** Used if a sale leaves the figures as a duplicate and there is no new refund to announce. */
export function insertDuplicateOutbox({ db, now }: Context, saleId: number, id: string, moves: readonly MetricDelta[]): Statement {
	const row = { id, kind: sql`'duplicate_found'`, subjectId: sql`s.id`, moves: JSON.stringify(moves), now };
	return db.run(sql`${insertOutboxRow({ ...row, from: sql`affiliate_sale_events s` })} WHERE s.id = ${saleId}`);
}
