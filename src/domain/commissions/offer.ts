import { exponentOf, shareOf, toMajorUnits } from '../money.ts';
import { isSameAmount, type Terms } from './terms.ts';
import { countText } from '../time-text.ts';

// Describes what a program offers to potential partners.

/** `ruleVersionId` and scope are left out: the order says which rate precedes. */
export type OfferedRate = Terms & { readonly productId: string | null };

export interface Offer {
	readonly currency: string;
	/** The most specific first, without those that another one always overrides (`ratesOf`). */
	readonly rates: readonly OfferedRate[];
	readonly payoutMinimumCents: number;
}

/** For example "20% of every sale", or "12% of most sales; some products earn 3% to 22%". */
export function headlineOf(offer: Offer): string {
	const { headline, exceptions } = headlinesOf(offer);
	return [headline, ...exceptions].join('; ');
}

/** What most sales earn, and what the others do. */
export function headlinesOf({ rates }: Pick<Offer, 'rates'>): { readonly headline: string; readonly exceptions: readonly string[] } {
	const { general, exceptions } = dividedOf(rates);
	if (!general) {
		if (exceptions.length === 0) return { headline: 'By agreement', exceptions: [] };
		return { headline: `${spanOf(exceptions)} for some sales`, exceptions: ['all others earn nothing'] };
	}
	const whole = general.type === 'flat' ? ` in ${general.currency}` : '';
	const earned = `${earnedOf(general)} ${general.type === 'percent' ? 'of' : 'for'}`;
	if (exceptions.length === 0) return { headline: `${earned} every sale${whole}`, exceptions: [] };
	const products = exceptions.filter(({ productId }) => productId !== null);
	const inCurrencies = exceptions.filter(({ productId }) => productId === null);
	return {
		headline: `${earned} most sales${whole}`,
		exceptions: [
			...(products.length > 0 ? [`some products earn ${spanOf(products)}`] : []),
			...inCurrencies.map((rate) => `sales in ${rate.currency} earn ${earnedOf(rate)}`),
		],
	};
}

/** The rate for whatever no other rate is for, and the rates that earn something else. */
function dividedOf(rates: readonly OfferedRate[]) {
	const whole = rates.filter(({ productId }) => productId === null);
	const general = whole.find(({ type }) => type === 'percent') ?? whole[0];
	const exceptions = rates.filter((rate) => rate !== general && !(general && isSameAmount(rate, general)));
	// "0% of most sales" would hide what earns.
	return general?.basisPoints === 0 && exceptions.length > 0 ? { general: undefined, exceptions } : { general, exceptions };
}

/** "20%", "$5". */
function earnedOf(rate: Terms): string {
	return rate.type === 'percent' ? `${rate.basisPoints / 100}%` : moneyWords(rate.amountCents, rate.currency);
}

/** "5%", "3% to 22%", "$3 to $10". */
function spanOf(rates: readonly OfferedRate[]): string {
	const sizeOf = (rate: OfferedRate) => (rate.type === 'percent' ? rate.basisPoints : rate.amountCents);
	const sorted = rates.toSorted((a, b) => sizeOf(a) - sizeOf(b));
	const [least, most] = [sorted[0], sorted.at(-1)];
	const isMixed = rates.some((rate) => rate.type !== least?.type || rate.currency !== least.currency);
	if (!least || !most || isMixed) return 'other amounts';
	return isSameAmount(least, most) ? earnedOf(least) : `${earnedOf(least)} to ${earnedOf(most)}`;
}

export interface OfferRow {
	/** Which sales. */
	readonly sales: string;
	readonly earned: string;
	readonly renewals: string;
	readonly hold: string;
}

/** Longer lists are cut, so that a page stays readable. */
const MOST_PRODUCTS = 50;

/** Every rate in force. The first row that fits a sale counts. */
export function rowsOf({ rates }: Pick<Offer, 'rates'>): OfferRow[] {
	const products = rates.filter(({ productId }) => productId !== null);
	const cut = products.slice(MOST_PRODUCTS);
	const shown = rates.filter((rate) => !cut.includes(rate));
	const rows = shown.map((rate, index) => ({
		sales: salesOf(rate, index > 0 || cut.length > 0),
		earned: rate.type === 'percent' ? `${earnedOf(rate)} of the sale` : earnedOf(rate),
		renewals: renewalsOf(rate),
		hold: rate.holdDays === 0 ? 'at once' : `after ${countText(rate.holdDays, 'day')}`,
	}));
	const isComplete = shown.some((rate) => rate.productId === null && rate.type === 'percent');
	return [
		...rows.slice(0, MOST_PRODUCTS),
		...(cut.length > 0 ? [{ sales: countText(cut.length, 'more product'), earned: spanOf(cut), renewals: '', hold: '' }] : []),
		...rows.slice(MOST_PRODUCTS),
		...(rows.length > 0 && !isComplete ? [{ sales: 'All other sales', earned: 'nothing', renewals: '', hold: '' }] : []),
	];
}

function salesOf({ productId, currency }: OfferedRate, hasOthers: boolean): string {
	const ofCurrency = currency === null ? '' : ` in ${currency}`;
	if (productId !== null) return currency === null ? `Product ${productId}` : `Product ${productId}, sales${ofCurrency}`;
	return `${hasOthers ? 'All other sales' : 'Every sale'}${ofCurrency}`;
}

function renewalsOf({ recurringMonths }: Terms): string {
	if (recurringMonths === null) return 'every payment';
	return recurringMonths === 0 ? 'the first payment' : `payments of ${countText(recurringMonths, 'month')}`;
}

/** For example "A sale of $100 earns you $20, and so does each payment of a subscription for 12 months." Undefined if `rowsOf` says more. */
export function exampleOf({ currency, rates }: Offer): string | undefined {
	const [terms] = rates;
	if (!terms) return 'Commissions are agreed individually with each partner.';
	if (rates.length > 1 || terms.productId !== null) return undefined;
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
export function payoutWords({ currency, rates, payoutMinimumCents }: Offer): string {
	const holds = rates.map(({ holdDays }) => holdDays);
	const longest = Math.max(0, ...holds);
	const isSame = holds.every((days) => days === longest);
	const held =
		longest === 0
			? 'Your commission can be paid at once.'
			: `What a sale earns you can be paid after ${isSame ? '' : 'up to '}${countText(longest, 'day')}, unless it was refunded.`;
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
