import { moneyText } from '../money.ts';

// A transaction_id that is already recorded: either the same sale again, or another payment under the same id (decision 54).

export interface RecordedSale {
	readonly amountCents: number;
	readonly currency: string;
	/** What a processor charged, tax included; null if unknown. */
	readonly chargedCents: number | null;
	readonly chargedCurrency: string | null;
	/** A customer who came by coupon may have a different click from the one sent. */
	readonly hasCoupon: boolean;
	/** Undefined if the customer was erased. */
	readonly buyer: { readonly customerKey: string | null; readonly clickId: string | null } | undefined;
}

export interface RepeatedSale {
	readonly amountCents: number;
	readonly currency: string;
	readonly customerKey: string | undefined;
	/** Undefined if the signature is invalid. */
	readonly clickId: string | undefined;
}

export type SaleDifference = 'amount_cents' | 'currency' | 'customer';

/** Empty if it may be the same sale. */
export function differencesOf(recorded: RecordedSale, again: RepeatedSale): SaleDifference[] {
	const isSameCurrency = again.currency === recorded.currency;
	return [
		...(hasSameAmount(recorded, again) ? [] : (['amount_cents'] as const)),
		...(isSameCurrency ? [] : (['currency'] as const)),
		...(isSameBuyer(recorded, again) ? [] : (['customer'] as const)),
	];
}

/** A backend may report the charged amount of a sale that a processor recorded without tax. */
function hasSameAmount({ amountCents, chargedCents, chargedCurrency }: RecordedSale, again: RepeatedSale): boolean {
	return again.amountCents === amountCents || (again.amountCents === chargedCents && again.currency === chargedCurrency);
}

function isSameBuyer({ buyer, hasCoupon }: RecordedSale, { customerKey, clickId }: RepeatedSale): boolean {
	if (!buyer) return true;
	const isSameClick = clickId === buyer.clickId;
	if (customerKey === undefined) return clickId === undefined || hasCoupon || isSameClick;
	return customerKey === buyer.customerKey || (buyer.customerKey === null && clickId !== undefined && isSameClick);
}

/** Shows the caller both amounts, but never the other customer. */
export function differenceText(recorded: RecordedSale, again: RepeatedSale, differs: readonly SaleDifference[]): string {
	const isOtherMoney = differs.some((field) => field !== 'customer');
	const money = `${moneyText(recorded.amountCents, recorded.currency)} is recorded and you sent ${moneyText(again.amountCents, again.currency)}`;
	const facts = [...(isOtherMoney ? [money] : []), ...(differs.includes('customer') ? ['the sale belongs to another customer'] : [])];
	return `This transaction_id is already recorded with different data: ${facts.join(', and ')}. Nothing was changed. Send a different payment under its own transaction_id.`;
}

export interface Paid {
	readonly amountCents: number;
	readonly chargedCents: number | null;
	readonly currency: string;
}

/** Whether a processor's payment has the sale's amount or the charged amount. */
export function isSamePayment(recorded: Paid & { readonly chargedCurrency: string | null }, paid: Paid): boolean {
	const known = [
		moneyText(recorded.amountCents, recorded.currency),
		...(recorded.chargedCents === null ? [] : [moneyText(recorded.chargedCents, recorded.chargedCurrency ?? recorded.currency)]),
	];
	const reported = [paid.amountCents, paid.chargedCents].filter((cents) => cents !== null).map((cents) => moneyText(cents, paid.currency));
	return reported.some((money) => known.includes(money));
}
