import { invalid } from '../rejection.ts';

/** Decision 20. */
export type Terms = {
	/**
	 * How many months after a subscription's first sale its renewals earn. Null means no limit; 0 means that only the first payment earns.
	 */
	readonly recurringMonths: number | null;
	readonly holdDays: number;
} & (
	| { readonly type: 'percent'; readonly basisPoints: number; readonly amountCents: null; readonly currency: null }
	| { readonly type: 'flat'; readonly basisPoints: null; readonly amountCents: number; readonly currency: string }
);

/** A missing field keeps its value, or gets the default in a new rule. */
export interface SentTerms {
	readonly type?: Terms['type'] | undefined;
	readonly basisPoints?: number | undefined;
	readonly amountCents?: number | undefined;
	readonly currency?: string | undefined;
	readonly recurringMonths?: number | null | undefined;
	readonly holdDays?: number | undefined;
}

/** The terms of a new rule, or of the next version of `current`. Rejects with 400 if a field is missing or does not fit the type. */
export function termsOf(sent: SentTerms, programCurrency: string, current?: Terms): Terms {
	const type = sent.type ?? current?.type;
	const shared = {
		recurringMonths: sent.recurringMonths === undefined ? (current?.recurringMonths ?? null) : sent.recurringMonths,
		holdDays: sent.holdDays ?? current?.holdDays ?? 0,
	};
	if (type === 'percent') return { ...percentTermsOf(sent, current), ...shared };
	if (type === 'flat') return { ...flatTermsOf(sent, programCurrency, current), ...shared };
	throw invalid('type must be "percent" or "flat"');
}

function percentTermsOf(sent: SentTerms, current: Terms | undefined) {
	if (sent.amountCents !== undefined) throw invalid('amount_cents belongs to a rule of type "flat"');
	if (sent.currency !== undefined) throw invalid('currency belongs to a rule of type "flat"');
	const basisPoints = sent.basisPoints ?? current?.basisPoints ?? undefined;
	if (basisPoints === undefined) throw invalid('percent is required for a rule of type "percent"');
	return { type: 'percent', basisPoints, amountCents: null, currency: null } as const;
}

function flatTermsOf(sent: SentTerms, programCurrency: string, current: Terms | undefined) {
	if (sent.basisPoints !== undefined) throw invalid('percent belongs to a rule of type "percent"');
	const amountCents = sent.amountCents ?? current?.amountCents ?? undefined;
	if (amountCents === undefined) throw invalid('amount_cents is required for a rule of type "flat"');
	return { type: 'flat', basisPoints: null, amountCents, currency: sent.currency ?? current?.currency ?? programCurrency } as const;
}

export function isSameTerms(a: Terms, b: Terms): boolean {
	return isSameAmount(a, b) && a.recurringMonths === b.recurringMonths && a.holdDays === b.holdDays;
}

/** Whether a sale earns the same. */
export function isSameAmount(a: Terms, b: Terms): boolean {
	return a.basisPoints === b.basisPoints && a.amountCents === b.amountCents && a.currency === b.currency;
}
