import { type SQL, sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { type Given, type Operand, prepare } from '../db/prepare.ts';
import type { Move } from '../domain/moves.ts';
import { customerIdOf, type CustomerReference } from '../customers/write-customer.ts';
import { saleIdOf } from '../sales/write-sale.ts';

/** What names a row: known before the write, so that it can be sent without reading it back. */
export type OutboxKey = readonly [programId: number, id: string];

interface NewRow {
	readonly id: string;
	/** JSON of Move[]. */
	readonly moves: string;
}

/** The row of a lead, whose figures stand under the values that its customer has at that point of the batch. */
export function insertLeadOutbox(ctx: Context, programId: number, customer: CustomerReference, id: string, moves: readonly Move[]) {
	return insertOfLead(ctx, { programId, id, moves: JSON.stringify(moves), ...customer });
}

const insertOfLead = prepare(({ db, now }, given: Given<NewRow & CustomerReference & { programId: number }>) =>
	db.run(sql`
		INSERT INTO outbox (program_id, id, kind, subject_id, moves, referral_link_id, country, source, created_at)
		SELECT program_id, ${given.id}, 'lead_recorded', id, ${given.moves}, referral_link_id, country, source, ${now}
		FROM customers WHERE id = ${customerIdOf(given.programId, given)}`),
);

/**
 * The row of the sale that the batch has recorded, or of its commission where it made one: for the end of its batch. Gives the
 * ids of both.
 */
export const insertSaleOutbox = prepare(({ db, now }, { transactionId, id, moves }: Given<NewRow & { transactionId: string }>) =>
	db.all<{ saleId: number; commissionId: number | null }>(sql`
		${insertOfSale({
			id,
			kind: sql`iif(m.id IS NULL, 'sale_recorded', 'commission_created')`,
			subjectId: sql`coalesce(m.id, s.id)`,
			moves,
			now,
			from: sql`affiliate_sale_events s LEFT JOIN commissions m ON m.sale_id = s.id`,
		})}
		WHERE s.id = ${saleIdOf(transactionId, false)}
		RETURNING iif(kind = 'sale_recorded', subject_id, (SELECT sale_id FROM commissions WHERE id = subject_id)) AS saleId,
			iif(kind = 'sale_recorded', NULL, subject_id) AS commissionId`),
);

/** The row of a refund: an operation that recorded the sale may settle what is known of it later. */
export function refundOutboxKey(programId: number, opId: string): OutboxKey {
	return [programId, `${opId}:refund`];
}

/** The row of the refund of a sale that the operation has recorded. */
export const insertRefundOutbox = prepare(
	({ db, now }, { saleId, opId, moves }: Given<Pick<NewRow, 'moves'> & { saleId: number; opId: string }>) =>
		db.run(sql`
		${insertOfSale({
			id: sql`${opId} || ':refund'`,
			kind: sql`'sale_refunded'`,
			subjectId: sql`r.id`,
			moves,
			now,
			from: sql`refund_events r JOIN affiliate_sale_events s ON s.id = r.sale_id`,
		})}
		WHERE r.sale_id = ${saleId} AND r.op_id = ${opId}`),
);

/** The row of a sale that leaves the figures, though nothing more of it is given back of which anybody would be told. */
export function insertDuplicateOutbox({ db, now }: Context, saleId: number, id: string, moves: readonly Move[]): Statement {
	const row = { id, kind: sql`'duplicate_found'`, subjectId: sql`s.id`, moves: JSON.stringify(moves), now };
	return db.run(sql`${insertOfSale({ ...row, from: sql`affiliate_sale_events s` })} WHERE s.id = ${saleId}`);
}

/** The row of a commission that was made after its sale. */
export function insertCommissionOutbox({ db, now }: Context, saleId: number, id: string, moves: readonly Move[]): Statement {
	const row = { id, kind: sql`'commission_created'`, subjectId: sql`m.id`, moves: JSON.stringify(moves), now };
	return db.run(
		sql`${insertOfSale({ ...row, from: sql`commissions m JOIN affiliate_sale_events s ON s.id = m.sale_id` })} WHERE s.id = ${saleId}`,
	);
}

/** A row for each rejected commission. */
export function insertRejectionOutbox(
	{ db, now }: Context,
	rows: readonly { readonly id: string; readonly commissionId: number; readonly moves: readonly Move[] }[],
): Statement {
	const chosen = JSON.stringify(rows.map(({ id, commissionId, moves }) => [id, commissionId, moves]));
	const row = {
		id: sql<string>`chosen.value ->> 0`,
		kind: sql`'commission_rejected'`,
		subjectId: sql`m.id`,
		moves: sql<string>`chosen.value -> 2`,
		now,
	};
	return db.run(
		insertOfSale({
			...row,
			from: sql`json_each(${chosen}) AS chosen JOIN commissions m ON m.id = chosen.value ->> 1 JOIN affiliate_sale_events s ON s.id = m.sale_id`,
		}),
	);
}

interface RowOfSale {
	readonly id: Operand<string>;
	readonly kind: SQL;
	readonly subjectId: SQL;
	readonly moves: Operand<string>;
	readonly now: Operand<number>;
	readonly from: SQL;
}

/** A row about the sale `s`: its figures stand under the values of the sale and of its customer at that point of the batch. */
function insertOfSale({ id, kind, subjectId, moves, now, from }: RowOfSale): SQL {
	return sql`
		INSERT INTO outbox (program_id, id, kind, subject_id, moves, referral_link_id, product_id, country, source, created_at)
		SELECT s.program_id, ${id}, ${kind}, ${subjectId}, ${moves}, c.referral_link_id, s.product_id, c.country, c.source, ${now}
		FROM ${from} JOIN customers c ON c.id = s.customer_id`;
}

/** Sends committed rows on their way without holding the answer. What is lost here, cron finds. */
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
