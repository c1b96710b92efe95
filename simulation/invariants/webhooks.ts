import type { Rows } from '../world/rows.ts';
import { type RowInvariant, type WithRows, violated } from './invariant.ts';

// One delivery per event. No row records when a hold ended or a lead signed up, so those are only checked for duplicates.

export const webhooks: RowInvariant = {
	name: 'an event waits in the outbox or has a webhook delivery, once',
	reads: ['refunds', 'payouts', 'commissions', 'sales', 'applications', 'outbox', 'webhooks', 'deliveries'],
	check: checkWebhooks,
};

interface Happening {
	readonly programId: number;
	readonly waitsAs: string;
	readonly delivery: string;
}

/** For example, a second partial refund reverses the same commission again. */
const AGAIN = ['commission.reversed', 'commission.reinstated', 'partner.suspended'];

function happeningsIn(rows: Rows): Happening[] {
	const commissions = new Map(rows.commissions.map((commission) => [commission.sale_id, commission]));
	const made = new Set(
		rows.outbox.filter(({ kind, moves }) => kind === 'commission_created' && isOfSale(moves)).map(({ subject_id }) => subject_id),
	);
	const happenings: Happening[] = [];
	const add = (programId: number, waitsAs: string, ...deliveries: readonly string[]) =>
		happenings.push(...deliveries.map((delivery) => ({ programId, waitsAs, delivery })));
	for (const { id, program_id, is_test } of rows.sales) {
		if (is_test) continue;
		const commission = commissions.get(id);
		const isWaiting = commission !== undefined && made.has(commission.id);
		add(program_id, isWaiting ? `commission_created ${commission.id}` : `sale_recorded ${id}`, `sale.created ${id}`);
	}
	for (const { id, program_id, status } of rows.commissions) {
		add(program_id, `commission_created ${id}`, `commission.created ${id}`);
		if (status === 'rejected') add(program_id, `commission_rejected ${id}`, `commission.rejected ${id}`);
	}
	for (const { id, program_id, sale_id, outcome, is_test, deduction_cents } of rows.refunds) {
		if (is_test || outcome === 'skipped') continue;
		if (outcome !== 'reinstated') add(program_id, `sale_refunded ${id}`, `refund.created ${id}`);
		const commission = commissions.get(sale_id);
		if (!commission || deduction_cents === null) continue;
		const type = outcome === 'reinstated' ? 'commission.reinstated' : 'commission.reversed';
		add(program_id, `sale_refunded ${id}`, `${type} ${commission.id}`);
	}
	for (const { id, program_id, sent_at, failed_at } of rows.payouts) {
		add(program_id, `payout_made ${id}`, `payout.created ${id}`);
		if (sent_at !== null) add(program_id, `payout_sent ${id}`, `payout.sent ${id}`);
		if (failed_at !== null) add(program_id, `payout_failed ${id}`, `payout.failed ${id}`);
	}
	return happenings;
}

function isOfSale(moves: string | null): boolean {
	const all: readonly { readonly sales?: number }[] = JSON.parse(moves ?? '[]');
	return all.some(({ sales = 0 }) => sales > 0);
}

/** Types that no row records: approvals, sign-ups, joins and applications. */
const SELDOM = /^(?:lead\.created|commission\.approved|partner\.) ?/;

function checkWebhooks({ rows }: WithRows): void {
	const open = new Set(rows.outbox.map(({ kind, subject_id }) => `${kind} ${subject_id}`));
	const happened = happeningsIn(rows).filter(({ waitsAs }) => !open.has(waitsAs));
	for (const { program_id } of rows.webhooks) {
		const delivered = rows.deliveries.filter((row) => row.program_id === program_id).map(({ type, subject_id }) => `${type} ${subject_id}`);
		const seldom = delivered.filter((name) => SELDOM.test(name) && !AGAIN.some((type) => name.startsWith(type)));
		if (new Set(seldom).size < seldom.length) throw violated(webhooks.name, `${seldom.toSorted().join(', ')} contains a repetition`);
		const found = delivered.filter((name) => !SELDOM.test(name)).toSorted();
		const wanted = happened
			.filter(({ programId }) => programId === program_id)
			.map((each) => each.delivery)
			.toSorted();
		for (let index = 0; index < Math.max(wanted.length, found.length); index += 1) {
			if (wanted[index] !== found[index]) throw violated(webhooks.name, `expected ${wanted[index]}, found ${found[index]}`);
		}
	}
}
