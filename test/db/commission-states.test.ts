import { beforeAll, describe, expect, test } from 'vitest';
import { aPayoutRow, change, commissionIn, type Status } from '../support/commission-in.ts';
import { aFunnel, type Funnel, rows } from '../support/funnel.ts';

// How the database itself enforces the states of commissions (decision 19).

const STATUSES: readonly Status[] = ['pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded'];

const ALLOWED: Record<Status, readonly Status[]> = {
	pending: ['approved', 'rejected', 'reversed', 'refunded'],
	approved: ['paid', 'rejected', 'reversed', 'refunded'],
	paid: ['reversed', 'refunded'],
	refunded: ['reversed', 'rejected'],
	// The refunded amount shrinks, but the commission is so small that the deduction in cents stays the same.
	reversed: ['refunded'],
	rejected: [],
};

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel({ commission: { type: 'percent', percent: 20, hold_days: 7 } });
});

/** Only the transition can be refused, because the other columns are those of a valid update. */
async function moveTo(to: Status, from: Status) {
	const isRefund = to === 'reversed' || to === 'refunded';
	const before = from === 'pending' || from === 'paid' ? from : 'approved';
	const deducted: Partial<Record<Status, number>> = { reversed: 2_000, refunded: 2_000 };
	return {
		status: to,
		status_before_refund: isRefund ? before : null,
		...(to in deducted ? { deducted_cents: deducted[to] ?? 0 } : {}),
		...(to === 'paid' ? { paid_at: 1, payout_id: await aPayoutRow(funnel) } : {}),
	};
}

const PAIRS = STATUSES.flatMap((from) =>
	STATUSES.filter((to) => to !== from).map((to) => [from, to, ALLOWED[from].includes(to) ? 'allowed' : 'refused'] as const),
);

test.each(PAIRS)('from %s to %s: %s', async (from, to, verdict) => {
	const id = await commissionIn(from, funnel);
	const move = change(id, await moveTo(to, from));
	if (verdict === 'allowed') await move;
	else await expect(move).rejects.toThrow('commissions: this transition is not allowed');
	expect(await rows('SELECT status FROM commissions WHERE id = ?', id)).toEqual([{ status: verdict === 'allowed' ? to : from }]);
});

describe('after a failed refund, with less deducted than before, a commission returns to its earlier state', () => {
	const BEFORE = ['pending', 'approved', 'paid'] as const;
	const BACK = (['refunded', 'reversed'] as const).flatMap((from) =>
		BEFORE.flatMap((before) => STATUSES.filter((to) => to !== from && to !== 'reversed').map((to) => [from, before, to] as const)),
	);
	test.each(BACK)('from %s, before it %s, to %s', async (from, before, to) => {
		const id = await commissionIn(from, funnel, before);
		const isRefund = to === 'refunded';
		const back = change(id, {
			status: to,
			deducted_cents: isRefund ? 100 : 0,
			status_before_refund: isRefund ? before : null,
			...(to === 'paid' && before !== 'paid' ? { paid_at: 1, payout_id: await aPayoutRow(funnel) } : {}),
		});
		if (to === before || isRefund) await expect(back).resolves.toBeUndefined();
		else await expect(back).rejects.toThrow('commissions: this transition is not allowed');
	});

	test('to paid if the rest was paid in between, and to no other', async () => {
		const id = await commissionIn('refunded', funnel, 'approved');
		await change(id, { paid_at: 1, payout_id: await aPayoutRow(funnel) });
		const nothing = { deducted_cents: 0, status_before_refund: null };
		await expect(change(id, { status: 'approved', ...nothing })).rejects.toThrow('this transition is not allowed');
		await change(id, { status: 'paid', ...nothing });
	});
});

describe('a commission', () => {
	test.each<[string, Record<string, string | number | null>]>([
		['amount', { amount_cents: 1 }],
		['currency', { currency: 'EUR' }],
		['sale', { sale_id: 1 }],
		['rule', { rule_version_id: 1 }],
		['partner', { partner_program_id: 1 }],
		['program', { program_id: 0 }],
		['time', { created_at: 1 }],
		['day', { created_day: '2020-01-01' }],
	])('keeps its %s', async (_, columns) => {
		const id = await commissionIn('approved', await aFunnel({ commission: { type: 'percent', percent: 20, hold_days: 1 } }));
		await expect(change(id, columns)).rejects.toThrow('commissions: what was earned and what was paid never change');
	});

	test('keeps its payout', async () => {
		const id = await commissionIn('paid', funnel);
		const error = 'commissions: what was earned and what was paid never change';
		await expect(change(id, { payout_id: await aPayoutRow(funnel) })).rejects.toThrow(error);
		await expect(change(id, { paid_at: 2 })).rejects.toThrow(error);
		await expect(change(id, { paid_at: null, payout_id: null })).rejects.toThrow(error);
	});

	test.each<[Record<string, string | number | null>, string]>([
		[{ deducted_cents: -1 }, 'commissions_deducted_range'],
		[{ deducted_cents: 2_001 }, 'commissions_deducted_range'],
		[{ deducted_cents: 1.5 }, 'commissions_deducted_range'],
		[{ status: 'reversed', status_before_refund: 'approved', deducted_cents: 1_999 }, 'commissions_reversed_whole'],
		[{ status: 'refunded', deducted_cents: 500 }, 'commissions_refund_from'],
		[{ status_before_refund: 'approved' }, 'commissions_refund_from'],
		[{ status: 'paid' }, 'commissions_paid_dated'],
		[{ paid_at: 1 }, 'commissions_paid_by_payout'],
	])('is never %j', async (columns, constraint) => {
		const id = await commissionIn('approved', funnel);
		await expect(change(id, columns)).rejects.toThrow(constraint);
	});
});
