import { beforeAll, describe, expect, test } from 'vitest';
import { aPayoutRow } from '../support/commission-in.ts';
import { aFunnel, type Funnel, rows } from '../support/funnel.ts';
import { run } from '../support/refused.ts';

// How the database itself enforces the states of payouts (decision 19b).

type Status = 'made' | 'sent' | 'failed' | 'sent and failed';

const SET = {
	sent: 'sent_at = 2',
	failed: "failed_at = 3, failure_reason = 'closed'",
} as const;

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

async function aPayoutIn(status: Status): Promise<number> {
	const id = await aPayoutRow(funnel, { surplusCents: 100 });
	for (const step of ['sent', 'failed'] as const) if (status.includes(step)) await change(id, SET[step]);
	return id;
}

const change = (id: number, set: string) => run(`UPDATE payouts SET ${set} WHERE id = ?`, id);

describe('the sums of payouts', () => {
	const QUARTER = 900_000;
	const sums = async () =>
		rows(
			`SELECT s.sent_from, s.payouts, s.amount_cents FROM payout_sums s WHERE s.program_id = ? AND s.payouts + s.amount_cents <> 0
			ORDER BY s.sent_from`,
			summed.id,
		);
	let summed: Funnel;
	beforeAll(async () => {
		summed = await aFunnel();
	});

	test('follow each step, and the time of sending', async () => {
		const [one, two] = [await aPayoutRow(summed, { surplusCents: 100 }), await aPayoutRow(summed, { surplusCents: 30 })];
		expect(await sums()).toEqual([{ sent_from: 0, payouts: 2, amount_cents: 130 }]);
		await change(one, `sent_at = ${5 * QUARTER + 1}`);
		await change(two, `sent_at = ${6 * QUARTER - 1}`);
		expect(await sums()).toEqual([{ sent_from: 5 * QUARTER, payouts: 2, amount_cents: 130 }]);
		await change(one, SET.failed);
		expect(await sums()).toEqual([{ sent_from: 5 * QUARTER, payouts: 1, amount_cents: 30 }]);
		await change(two, SET.failed);
		await change(await aPayoutRow(summed, { surplusCents: 7 }), SET.failed);
		expect(await sums()).toEqual([]);
	});

	test('do not include payouts that pay nothing', async () => {
		await aPayoutRow(summed, { recoveredCents: 100 });
		expect(await sums()).toEqual([]);
	});
});

describe('the transitions of a payout', () => {
	test.each<[Status, keyof typeof SET]>([
		['made', 'sent'],
		['made', 'failed'],
		['sent', 'failed'],
	])('%s, then %s', async (from, to) => {
		const id = await aPayoutIn(from);
		await change(id, SET[to]);
		expect(await rows(`SELECT ${to}_at AS at FROM payouts WHERE id = ?`, id)).toEqual([{ at: to === 'sent' ? 2 : 3 }]);
	});

	test.each<[Status, string]>([
		['sent', SET.sent],
		['sent', 'sent_at = NULL'],
		['sent', "sent_reference = 'another'"],
		['sent', `sent_at = 5, ${SET.failed}`],
		['made', "sent_reference = 'without a time'"],
		['made', "failure_reason = 'without a time'"],
		['made', `${SET.sent}, ${SET.failed}`],
		['failed', SET.sent],
		['failed', SET.failed],
		['failed', 'failed_at = NULL'],
		['sent and failed', 'failed_at = NULL'],
		['sent and failed', "failure_reason = 'another'"],
	])('%s, not: %s', async (from, set) => {
		const id = await aPayoutIn(from);
		const before = await rows('SELECT * FROM payouts WHERE id = ?', id);
		await expect(change(id, set)).rejects.toThrow('payouts: this transition is not allowed');
		expect(await rows('SELECT * FROM payouts WHERE id = ?', id)).toEqual(before);
	});

	test('none if it pays nothing', async () => {
		const id = await aPayoutRow(funnel, { recoveredCents: 100 });
		for (const set of Object.values(SET)) await expect(change(id, set)).rejects.toThrow('payouts: this transition is not allowed');
	});
});

test('the facts of a payout never change', async () => {
	const id = await aPayoutIn('made');
	for (const set of [
		"op_id = 'other'",
		'commission_count = 7',
		'amount_cents = amount_cents + 1, due_cents = due_cents + 1',
		'created_at = 5',
		"currency = 'EUR'",
	])
		await expect(change(id, set)).rejects.toThrow('payouts: what was paid never changes');
	await expect(run('DELETE FROM payouts WHERE id = ?', id)).rejects.toThrow('payouts: append-only');
	await expect(
		run(
			`INSERT INTO payouts (program_id, partner_program_id, currency, due_cents, recovered_cents, amount_cents, created_at, op_id, sent_at)
			SELECT program_id, partner_program_id, currency, due_cents, recovered_cents, amount_cents, created_at, 'sent-at-once', 2 FROM payouts WHERE id = ?`,
			id,
		),
	).rejects.toThrow('payouts: this transition is not allowed');
});
