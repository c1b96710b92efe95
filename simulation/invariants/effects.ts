import type { CommissionRow, RefundRow, Rows } from '../world/rows.ts';
import { type RowInvariant, type WithRows, violated } from './invariant.ts';

// Everyone concerned is notified once, or the outbox row is still waiting.

export const waiting: RowInvariant = {
	name: 'an outbox row belongs to something that happened, once',
	reads: ['refunds', 'payouts', 'commissions', 'applications', 'outbox'],
	check: checkWaiting,
};
export const notifications: RowInvariant = {
	name: 'what happened waits in the outbox or is notified, once',
	reads: ['refunds', 'payouts', 'commissions', 'entries', 'applications', 'memberships', 'reviewers', 'outbox', 'notifications'],
	check: checkNotifications,
};

interface Happening {
	/** The name in its outbox row. */
	readonly name: string;
	readonly notices: readonly string[];
}

function happeningsIn(rows: Rows): Happening[] {
	const happenings: Happening[] = [];
	const commissions = new Map(rows.commissions.map((commission) => [commission.sale_id, commission]));
	const partners = new Map(rows.memberships.map(({ id, partner_id }) => [id, `partner ${partner_id}`]));
	for (const { id, partner_program_id, amount_cents, status } of rows.commissions) {
		const partner = partners.get(partner_program_id);
		happenings.push({ name: `commission_created ${id}`, notices: [`${partner}: commission_created ${id} of ${amount_cents}`] });
		// One message covers all rejections of a decision, so rejectionsIn compares sums.
		if (status === 'rejected') happenings.push({ name: `commission_rejected ${id}`, notices: [] });
	}
	for (const { id, partner_program_id, amount_cents, sent_at, failed_at } of rows.payouts) {
		const kinds = ['payout_made', ...(sent_at === null ? [] : ['payout_sent']), ...(failed_at === null ? [] : ['payout_failed'])];
		for (const kind of kinds)
			happenings.push({ name: `${kind} ${id}`, notices: [`${partners.get(partner_program_id)}: ${kind} ${id} of ${amount_cents}`] });
	}
	for (const { id, program_id } of rows.applications) {
		const reviewers = rows.reviewers.filter((reviewer) => reviewer.program_id === program_id);
		happenings.push({
			name: `application_received ${id}`,
			notices: reviewers.map(({ user_id }) => `user ${user_id}: application_received ${id} of null`),
		});
	}
	for (const refund of rows.refunds) {
		const commission = commissions.get(refund.sale_id);
		if (refund.is_test || refund.outcome === 'skipped') continue;
		const notices = commission && refund.deduction_cents !== null ? noticesOfRefund(rows, refund, commission, partners) : [];
		happenings.push({ name: `sale_refunded ${refund.id}`, notices });
	}
	return happenings;
}

/** Notifies the partner, and also the reviewers if the commission was already paid. */
function noticesOfRefund(
	{ entries, reviewers }: Rows,
	{ outcome, deduction_cents, op_id }: RefundRow,
	{ id, program_id, partner_program_id }: CommissionRow,
	partners: ReadonlyMap<number, string>,
): string[] {
	const kind = outcome === 'reinstated' ? 'commission_reinstated' : 'commission_reversed';
	// In ledger order, because the clocks of concurrent requests are unreliable.
	const own = entries.filter((entry) => entry.commission_id === id);
	const back = own.find((entry) => entry.kind === 'reinstatement' && entry.operation === op_id);
	const withheld = back === undefined ? 0 : back.nominal_cents - back.applied_cents;
	const reversal = own.find((entry) => entry.kind === 'reversal' && entry.operation === op_id);
	const wasPaid = reversal !== undefined && own.some((entry) => entry.kind === 'payout' && entry.id < reversal.id);
	const warned = wasPaid ? reviewers.filter((reviewer) => reviewer.program_id === program_id) : [];
	return [
		`${partners.get(partner_program_id)}: ${kind} ${id} of ${deduction_cents}${withheldText(withheld)}`,
		...warned.map(({ user_id }) => `user ${user_id}: manual_review ${id} of ${deduction_cents}`),
	];
}

function withheldText(cents: number | null): string {
	return cents ? `, ${cents} withheld` : '';
}

/** All other kinds only carry metric deltas and notify nobody. */
const NOTIFIED_KINDS = [
	'commission_created',
	'commission_rejected',
	'payout_made',
	'payout_sent',
	'payout_failed',
	'sale_refunded',
	'application_received',
];

/** Only webhooks deliver these. */
const FOR_BACKENDS = ['commission_approved', 'partner_suspended'];

/** These can happen repeatedly, but only the current status is stored. */
function isOfMembership(kind: string): boolean {
	return kind.startsWith('membership_');
}

function checkWaiting({ rows }: WithRows): void {
	const happened = new Set(happeningsIn(rows).map(({ name }) => name));
	const seen = new Set<string>();
	for (const { kind, subject_id, moves } of rows.outbox) {
		const name = `${kind} ${subject_id}`;
		if (!NOTIFIED_KINDS.includes(kind)) {
			if (moves === null && !FOR_BACKENDS.includes(kind)) throw violated(waiting.name, `${name} waits without any effect`);
			continue;
		}
		if (!happened.has(name)) throw violated(waiting.name, `${name} waits, but never happened`);
		if (seen.has(name)) throw violated(waiting.name, `${name} waits twice`);
		seen.add(name);
	}
}

function checkNotifications({ rows }: WithRows): void {
	const open = new Set(rows.outbox.map(({ kind, subject_id }) => `${kind} ${subject_id}`));
	const due = happeningsIn(rows).flatMap(({ name, notices }) => (open.has(name) ? [] : notices));
	// Declined applications are deleted after half a year, but their notifications remain.
	const known = new Set(rows.applications.map(({ id }) => id));
	const isForgotten = (id: number | null) => id !== null && !known.has(id);
	const checked = rows.notifications.filter(
		({ kind, application_id: id }) =>
			!isOfMembership(kind) && kind !== 'postback_disabled' && kind !== 'commission_rejected' && !isForgotten(id),
	);
	const notified = checked.map((row) => {
		const { partner_id, user_id, kind, commission_id, payout_id, application_id, amount_cents, deduction_cents } = row;
		const reader = partner_id === null ? `user ${user_id}` : `partner ${partner_id}`;
		const subject = kind.startsWith('payout') ? payout_id : (application_id ?? commission_id);
		return `${reader}: ${kind} ${subject} of ${deduction_cents ?? amount_cents}${withheldText(row.withheld_cents)}`;
	});
	const [wanted, found] = [[...due, ...rejectionsIn(rows, open)].toSorted(), [...notified, ...rejectionsNotified(rows)].toSorted()];
	for (let index = 0; index < Math.max(wanted.length, found.length); index += 1) {
		if (wanted[index] !== found[index]) throw violated(notifications.name, `expected ${wanted[index]}, found ${found[index]}`);
	}
}

/** Per partner and currency, except those still in the outbox. */
function rejectionsIn({ commissions, memberships }: Rows, open: ReadonlySet<string>): string[] {
	const partners = new Map(memberships.map(({ id, partner_id }) => [id, partner_id]));
	const rejected = commissions.filter(({ id, status }) => status === 'rejected' && !open.has(`commission_rejected ${id}`));
	return rejectionTexts(
		rejected.map(({ partner_program_id, currency, amount_cents, deducted_cents }) => ({
			account: `partner ${partners.get(partner_program_id)} in ${currency}`,
			count: 1,
			cents: amount_cents - deducted_cents,
		})),
	);
}

function rejectionsNotified({ notifications: rows }: Rows): string[] {
	const notified = rows.filter(({ kind }) => kind === 'commission_rejected');
	return rejectionTexts(
		notified.map(({ partner_id, currency, commissions, amount_cents }) => ({
			account: `partner ${partner_id} in ${currency}`,
			count: commissions ?? 1,
			cents: amount_cents ?? 0,
		})),
	);
}

interface Rejections {
	readonly account: string;
	readonly count: number;
	readonly cents: number;
}

function rejectionTexts(all: readonly Rejections[]): string[] {
	return [...Map.groupBy(all, ({ account }) => account)].map(([account, of]) => {
		const [count, cents] = [of.reduce((sum, one) => sum + one.count, 0), of.reduce((sum, one) => sum + one.cents, 0)];
		return `${account}: ${count} rejections of ${cents}`;
	});
}
