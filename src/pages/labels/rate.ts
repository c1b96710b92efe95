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
	if (months === null) return 'Renewals earn too, as long as the subscription lasts.';
	if (months === 0) return 'Only the first payment earns. Renewals earn nothing.';
	return `Renewals earn too, for ${plural(months, 'month')} from the first payment.`;
}

export function holdOf(days: number): string {
	return days === 0 ? 'No hold: approved immediately.' : `On hold for ${plural(days, 'day')}, then approved.`;
}

function isShare(percent: number | null | undefined): percent is number {
	return percent !== null && percent !== undefined;
}
