import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { type Placeholders, prepare } from '../db/prepare.ts';
import type { MetricDelta } from '../domain/reporting/metric-deltas.ts';
import { insertOutboxRow, type NewOutboxRow } from '../outbox/outbox.ts';
import { type SaleName, saleIdOf } from '../ledger/sale-id.ts';

/** The outbox row of the batch's sale, or of its commission if there is one. Must be last in the batch. Returns both ids. */
export const insertSaleOutbox = prepare(({ db, now }, { id, moves, ...sale }: Placeholders<NewOutboxRow & SaleName>) =>
	db.all<{ saleId: number; commissionId: number | null }>(sql`
		${insertOutboxRow({
			id,
			kind: sql`iif(m.id IS NULL, 'sale_recorded', 'commission_created')`,
			subjectId: sql`coalesce(m.id, s.id)`,
			moves,
			now,
			from: sql`affiliate_sale_events s LEFT JOIN commissions m ON m.sale_id = s.id`,
		})}
		WHERE s.id = ${saleIdOf(sale, false)}
		RETURNING iif(kind = 'sale_recorded', subject_id, (SELECT sale_id FROM commissions WHERE id = subject_id)) AS saleId,
			iif(kind = 'sale_recorded', NULL, subject_id) AS commissionId`),
);

/** Used if the commission was created after its sale. */
export function insertCommissionOutbox({ db, now }: Context, saleId: number, id: string, moves: readonly MetricDelta[]): Statement {
	const row = { id, kind: sql`'commission_created'`, subjectId: sql`m.id`, moves: JSON.stringify(moves), now };
	return db.run(
		sql`${insertOutboxRow({ ...row, from: sql`commissions m JOIN affiliate_sale_events s ON s.id = m.sale_id` })} WHERE s.id = ${saleId}`,
	);
}
