// Computes the rules of the contract independently, so that the same mistake is not made twice. Imports nothing from src/.

import type { Part } from './oracle-of-carts.ts';
import type { MembershipRow, RuleRow } from './rows-of-programs.ts';
import type { ReportedReversalRow } from './rows.ts';

export const DAY_MS = 86_400_000;

/** a x b / c, rounded to the nearest integer, halves up. */
export function halfUp(a: number, b: number, c: number): number {
	const tenths = (BigInt(a) * BigInt(b) * 10n) / BigInt(c);
	const whole = tenths / 10n;
	return Number(tenths - whole * 10n >= 5n ? whole + 1n : whole);
}

export function dayIn(zone: string, instant: number): string {
	const parts = new Map(
		formatOf(zone)
			.formatToParts(instant)
			.map(({ type, value }) => [type, value]),
	);
	return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
	const format =
		formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
	formats.set(zone, format);
	return format;
}

/** Whether `day` is at least `months` months after `first`. In a shorter month, the last day counts. */
export function isMonthsLater(first: string, day: string, months: number): boolean {
	const [year, month, date] = numbersIn(first);
	const index = year * 12 + (month - 1) + months;
	const [lastYear, lastMonth] = [Math.floor(index / 12), index % 12];
	const length = new Date(Date.UTC(lastYear, lastMonth + 1, 0)).getUTCDate();
	const limit = lastYear * 10_000 + (lastMonth + 1) * 100 + Math.min(date, length);
	const [y, m, d] = numbersIn(day);
	return y * 10_000 + m * 100 + d >= limit;
}

function numbersIn(day: string): [number, number, number] {
	const [year, month, date] = day.split('-').map(Number);
	return [year ?? 0, month ?? 0, date ?? 0];
}

export interface SoldFacts {
	readonly programId: number;
	readonly partnerProgramId: number;
	readonly productId: string | null;
	readonly amountCents: number;
	readonly currency: string;
	readonly soldAt: number;
	readonly saleDay: string;
	readonly isInside: boolean;
	/** Set if the sale renews a subscription. */
	readonly firstDay: string | undefined;
	readonly isProration: boolean;
	/** Set if each line selects its own rule. */
	readonly parts: readonly Part[] | undefined;
}

/** What a sale earns, as text: `none <reason>`, or version, amount and end of hold. */
export function expectedEarning(sold: SoldFacts, rules: readonly RuleRow[], memberships: readonly MembershipRow[]): string {
	const membership = memberships.find(({ id }) => id === sold.partnerProgramId);
	if (membership?.status !== 'active') return 'none partner_suspended';
	if (!sold.isInside && sold.firstDay === undefined) return 'none window_expired';
	const inForce = rules.filter(
		(rule) => rule.program_id === sold.programId && (rule.type === 'percent' || rule.currency === sold.currency),
	);
	// In the order of decision 43.
	const { partner_id, group_id } = membership;
	const nobody = { partner_id: null, group_id: null };
	const whose = [{ ...nobody, partner_id }, ...(group_id === null ? [] : [{ ...nobody, group_id }]), nobody];
	const scopes = whose.flatMap((one) => [
		{ ...one, product: true },
		{ ...one, product: false },
	]);
	const ruleOf = (productId: string | null) =>
		scopes
			.map((scope) =>
				inForce.find(
					(candidate) =>
						candidate.partner_id === scope.partner_id &&
						candidate.group_id === scope.group_id &&
						(scope.product ? candidate.product_id !== null && candidate.product_id === productId : candidate.product_id === null),
				),
			)
			.find((candidate) => candidate !== undefined);
	if (!sold.parts) return wordsOf(earnedBy(ruleOf(sold.productId), sold.amountCents, sold), sold);
	const byRule = Map.groupBy(sold.parts, ({ productId }) => ruleOf(productId));
	const shares = [...byRule].map(([rule, parts]) => {
		const cents = parts.reduce((sum, part) => sum + part.cents, 0);
		const isProration = sold.isProration || parts.every((part) => part.isProration);
		return { cents, version: rule?.version_id ?? Infinity, earned: earnedBy(rule, cents, { ...sold, isProration }) };
	});
	const ordered = shares.toSorted((a, b) => (a.cents === b.cents ? a.version - b.version : b.cents - a.cents));
	return wordsOf(ordered.map(({ earned }) => earned).reduce(added), sold);
}

interface EarnedPart {
	readonly reason: string | undefined;
	readonly version: number;
	/** The most that one rule earned. */
	readonly most: number;
	readonly cents: number;
	readonly holdDays: number;
}

function earnedBy(rule: RuleRow | undefined, cents: number, sold: SoldFacts): EarnedPart {
	const nothing = { version: 0, most: 0, cents: 0, holdDays: 0 };
	if (!rule) return { ...nothing, reason: 'no_rule' };
	if (sold.firstDay !== undefined && rule.recurring_months !== null && isMonthsLater(sold.firstDay, sold.saleDay, rule.recurring_months)) {
		return { ...nothing, reason: 'recurring_limit_reached' };
	}
	if (sold.isProration && rule.type === 'flat') return { ...nothing, reason: 'proration' };
	const amount = rule.type === 'flat' ? (rule.amount_cents ?? 0) : halfUp(cents, rule.basis_points ?? 0, 10_000);
	return { reason: undefined, version: rule.version_id, most: amount, cents: amount, holdDays: rule.hold_days };
}

/** Keeps the rule that earned more, and the longer hold. */
function added(one: EarnedPart, other: EarnedPart): EarnedPart {
	if (other.reason !== undefined) return one;
	if (one.reason !== undefined) return other;
	const { version, most } = other.most > one.most ? other : one;
	const holdDays = other.holdDays > one.holdDays ? other.holdDays : one.holdDays;
	return { reason: undefined, version, most, cents: one.cents + other.cents, holdDays };
}

function wordsOf({ reason, version, cents, holdDays }: EarnedPart, { soldAt }: SoldFacts): string {
	return reason === undefined ? earning(version, cents, soldAt + holdDays * DAY_MS) : `none ${reason}`;
}

export function earning(versionId: number, amountCents: number, holdUntil: number): string {
	return `version ${versionId}, ${amountCents} cents, held until ${holdUntil}`;
}

/** Refunds are a share of these amounts. */
export interface Paid {
	readonly amountCents: number;
	readonly currency: string;
	readonly chargedCents: number | null;
	readonly chargedCurrency: string | null;
	readonly reportedCents: number;
}

/** The refunded amount of a sale, from all reports. */
export function expectedRefund(paid: Paid, reported: readonly ReportedReversalRow[]): number {
	let net = 0;
	let ever = 0;
	for (const currency of new Set(reported.map((row) => row.currency))) {
		const whole = wholeIn(currency, paid, reported);
		if (whole === undefined) continue;
		const [counts, was] = refundedIn(reported.filter((row) => row.currency === currency));
		net += halfUp(paid.amountCents, counts > whole ? whole : counts, whole);
		ever += halfUp(paid.amountCents, was > whole ? whole : was, whole);
	}
	const reportedToo = paid.reportedCents - ever;
	const refunded = net + (reportedToo > 0 ? reportedToo : 0);
	return refunded > paid.amountCents ? paid.amountCents : refunded;
}

/** The total that amounts in this currency are a share of; undefined if unknown. */
function wholeIn(currency: string, paid: Paid, reported: readonly ReportedReversalRow[]): number | undefined {
	if (paid.chargedCents !== null && currency === paid.chargedCurrency) return paid.chargedCents;
	const charges: Record<string, number> = {};
	for (const row of reported) {
		const known = charges[row.charge_id ?? ''] ?? 0;
		if (row.currency === currency && (row.charge_cents ?? 0) > known) charges[row.charge_id ?? ''] = row.charge_cents ?? 0;
	}
	const captured = Object.values(charges).reduce((sum, cents) => sum + cents, 0);
	if (captured > 0) return captured;
	return currency === paid.currency ? paid.amountCents : undefined;
}

/** The net refunded amount and the total ever refunded, in one currency. */
function refundedIn(reported: readonly ReportedReversalRow[]): [number, number] {
	let net = 0;
	let ever = 0;
	const beyond: Record<string, number> = {};
	for (const row of reported) {
		if (row.kind === 'total') {
			const charge = row.reversal_id.slice(0, row.reversal_id.indexOf(':'));
			let rest = row.amount_cents;
			for (const refund of reported) {
				if (refund.kind !== 'refund' || (refund.charge_id !== null && refund.charge_id !== charge)) continue;
				const isGone = refund.undone_at !== null && refund.undone_at < row.happened_at;
				if (refund.happened_at <= row.happened_at && !isGone) rest -= refund.amount_cents;
			}
			if (rest > (beyond[charge] ?? 0)) beyond[charge] = rest;
		} else {
			// A dispute can count again after it was won; a failed refund cannot.
			const lastStood = row.kind === 'dispute' ? (row.stood_at ?? 0) : 0;
			const counts = row.undone_at === null || lastStood > row.undone_at;
			if (counts || row.kind === 'refund') ever += row.amount_cents;
			if (counts) net += row.amount_cents;
		}
	}
	const unexplained = Object.values(beyond).reduce((sum, cents) => sum + cents, 0);
	return [net + unexplained, ever + unexplained];
}
