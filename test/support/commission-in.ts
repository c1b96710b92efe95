import { env } from 'cloudflare:workers';
import { aSale, type Funnel, rows } from './funnel.ts';

export type Status = 'pending' | 'approved' | 'paid' | 'rejected' | 'reversed' | 'refunded';

/** Updates a commission by SQL, and increments its revision. */
export async function change(commissionId: number, columns: Record<string, string | number | null>): Promise<void> {
	const names = Object.keys(columns);
	await env.DB.prepare(`UPDATE commissions SET ${names.map((name) => `${name} = ?`).join(', ')}, revision = revision + 1 WHERE id = ?`)
		.bind(...Object.values(columns), commissionId)
		.run();
}

/** Inserts a payout row of the partner by SQL. */
export async function aPayoutRow(
	{ id, partnerProgramId }: Funnel,
	{ surplusCents = 0, recoveredCents = 0 }: { readonly surplusCents?: number; readonly recoveredCents?: number } = {},
): Promise<number> {
	const payoutId = await env.DB.prepare(
		`INSERT INTO payouts (program_id, partner_program_id, currency, due_cents, surplus_cents, recovered_cents, amount_cents, created_at, op_id)
		VALUES (?1, ?2, 'USD', ?3 + ?4, ?3, ?4, ?3, 1, ?5) RETURNING id`,
	)
		.bind(id, partnerProgramId, surplusCents, recoveredCents, crypto.randomUUID())
		.first<number>('id');
	if (payoutId === null) throw new Error('The payout was not stored');
	return payoutId;
}

/** Moves a commission of 20.00 into the state by SQL. The funnel's rule must have a hold. */
export async function commissionIn(status: Status, funnel: Funnel, before: 'pending' | 'approved' | 'paid' = 'approved'): Promise<number> {
	const { commissionId } = await aSale(funnel);
	if (commissionId === null) throw new Error('The sale has no commission');
	const path: Record<Status, Status[]> = {
		pending: [],
		approved: ['approved'],
		paid: ['approved', 'paid'],
		rejected: ['rejected'],
		reversed: ['reversed'],
		refunded: ['refunded'],
	};
	const isRefund = status === 'reversed' || status === 'refunded';
	for (const next of isRefund ? [...path[before], status] : path[status]) await change(commissionId, await columnsOf(next, before, funnel));
	const [row] = await rows<{ status: string }>('SELECT status FROM commissions WHERE id = ?', commissionId);
	if (row?.status !== status) throw new Error(`The commission is ${row?.status}`);
	return commissionId;
}

async function columnsOf(status: Status, before: string, funnel: Funnel): Promise<Record<string, string | number | null>> {
	switch (status) {
		case 'paid':
			return { status, paid_at: 1, payout_id: await aPayoutRow(funnel) };
		case 'reversed':
			return { status, status_before_refund: before, deducted_cents: 2_000 };
		case 'refunded':
			return { status, status_before_refund: before, deducted_cents: 500 };
		case 'pending':
		case 'approved':
		case 'rejected':
			return { status };
	}
}
