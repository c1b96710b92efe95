import { exponentOf, shareOf, toMajorUnits } from '../money.ts';
import type { Terms } from './terms.ts';
import { countText } from '../time-text.ts';

// Describes what a program offers to potential partners.

export interface Offer {
	readonly currency: string;
	/** The default rule; undefined if the program has none. */
	readonly terms: Terms | undefined;
	readonly payoutMinimumCents: number;
}

/** For example "20% of every sale". */
export function headlineOf({ terms }: Offer): string {
	if (!terms) return 'By agreement';
	return terms.type === 'percent'
		? `${terms.basisPoints / 100}% of every sale`
		: `${moneyWords(terms.amountCents, terms.currency)} for every sale`;
}

/** For example "A sale of $100 earns you $20, and so does each payment of a subscription for 12 months." */
export function exampleOf({ currency, terms }: Offer): string {
	if (!terms) return 'Commissions are agreed individually with each partner.';
	const earned = terms.type === 'percent' ? shareOf(exampleSale(currency), terms.basisPoints) : terms.amountCents;
	const sale = terms.type === 'percent' ? `A sale of ${moneyWords(exampleSale(currency), currency)}` : `Every sale in ${terms.currency}`;
	return `${sale} earns you ${moneyWords(earned, terms.currency ?? currency)}${renewalWords(terms)}.`;
}

function renewalWords({ recurringMonths }: Terms): string {
	if (recurringMonths === 0) return '. For a subscription, only the first payment counts';
	const payments = ', and so does each later payment of a subscription';
	return recurringMonths === null ? `${payments}, as long as it goes on` : `${payments} for ${countText(recurringMonths, 'month')}`;
}

/** When a commission can be paid, and the minimum payout. */
export function payoutWords({ currency, terms, payoutMinimumCents }: Offer): string {
	const hold = terms?.holdDays ?? 0;
	const held =
		hold === 0
			? 'Your commission can be paid at once.'
			: `What a sale earns you can be paid after ${countText(hold, 'day')}, unless it was refunded.`;
	return payoutMinimumCents === 0 ? held : `${held} A payout is ${moneyWords(payoutMinimumCents, currency)} or more.`;
}

/** 100 units of the currency, or 10,000 if it has no minor units. */
function exampleSale(currency: string): number {
	return exponentOf(currency) === 0 ? 10_000 : 100 * 10 ** exponentOf(currency);
}

/** For example "$20", "$7.50" or "¥1,500". */
export function moneyWords(cents: number, currency: string): string {
	const digits = exponentOf(currency);
	return new Intl.NumberFormat('en-US', {
		style: 'currency',
		currency,
		minimumFractionDigits: digits,
		maximumFractionDigits: digits,
		trailingZeroDisplay: 'stripIfInteger',
	}).format(toMajorUnits(cents, currency));
}
