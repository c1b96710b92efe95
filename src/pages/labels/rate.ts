import { money, plural } from '../format.ts';

/** A rule, commission or membership has a percentage, or an amount in its own or the commission's currency. */
interface Rate {
	readonly percent?: number | null;
	readonly amount_cents?: number | null;
	readonly currency?: string | null;
}

/** "20%", "$5.00". */
export function rateOf({ percent, amount_cents: cents, currency }: Rate, otherwise = ''): string {
	return isShare(percent) ? `${percent}%` : money(cents ?? 0, currency ?? otherwise);
}

/** "20% of each sale". */
export function earnsOf(rate: Rate, otherwise?: string): string {
	const earned = rateOf(rate, otherwise);
	if (isShare(rate.percent)) return `${earned} of each sale`;
	return rate.currency ? `${earned} for each sale in ${rate.currency}` : `${earned} for each sale`;
}

export function renewalsOf(months: number | null): string {
	if (months === null) return 'Renewals too, for as long as they come.';
	if (months === 0) return 'The first payment only, no renewals.';
	return `Renewals too, for ${plural(months, 'month')} from the first payment.`;
}

export function holdOf(days: number): string {
	return days === 0 ? 'Approved at once.' : `Held for ${plural(days, 'day')}, then approved.`;
}

function isShare(percent: number | null | undefined): percent is number {
	return percent !== null && percent !== undefined;
}
