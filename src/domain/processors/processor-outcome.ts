import { NO_COMMISSION, type NoCommissionReason } from '../commissions/commission.ts';
import type { Watch } from './inbox-schedule.ts';
import { moneyText } from '../money.ts';
import type { PaymentFact, ReversalFact } from './processor-event.ts';

// The outcome of a processor event, with the reason that the inbox shows.

export type FactOutcome =
	| {
			readonly state: 'applied';
			readonly reason: string;
			readonly saleId?: number;
			/** Parked events that wait for these ids are resumed. */
			readonly reportedIds: readonly string[];
			/** Whether another effect of the event hides this outcome. */
			readonly isAside?: boolean;
	  }
	| { readonly state: 'ignored' | 'refused'; readonly reason: string; readonly unsoldIds?: readonly string[] }
	| Waiting;

export interface Waiting {
	readonly state: 'waiting';
	readonly reason: string;
	/** The reason shown once the wait has expired. */
	readonly expiredReason: string;
	/** Another event may report more about these ids. */
	readonly waitsFor: readonly string[];
	readonly watch: Watch;
	/** Whether another effect of the event hides this outcome. */
	readonly isAside?: boolean;
	/** Payments that have no sale if the wait expires. */
	readonly unsoldIds?: readonly string[];
	/** Ends the wait at once, because no known event will name a payer. A later report of its ids still resumes it. */
	readonly isOrganic?: boolean;
}

export interface Settlement {
	readonly state: 'applied' | 'ignored' | 'refused' | 'expired' | 'failed';
	readonly reason: string;
	readonly saleId: number | undefined;
	readonly reportedIds: readonly string[];
	/** Payments without a sale, for which other events need not wait. */
	readonly unsoldIds?: readonly string[];
	/** Whether a later report of its ids resumes the event. */
	readonly isListening?: boolean;
}

export type EventOutcome =
	| Settlement
	| {
			readonly state: 'waiting';
			readonly reason: string;
			readonly saleId: number | undefined;
			readonly waitsFor: readonly string[];
			readonly watch: Watch;
			readonly isOrganic?: boolean;
			readonly expired: Settlement;
	  };

/** Only the last fact may wait or be refused. `summary` is the reason if no outcome is worth mentioning. */
export function outcomeOf(outcomes: readonly FactOutcome[], summary: string, isTest: boolean): EventOutcome {
	const last = outcomes.at(-1);
	if (last?.state !== 'waiting') return settlementOf(outcomes, summary, isTest);
	const done = outcomes.filter((outcome) => outcome.state === 'applied');
	const sofar = settlementOf(done, summary, isTest);
	const isOrganic = last.isOrganic === true;
	const inVain = { ...sofar, state: isOrganic ? 'ignored' : 'expired', reason: last.expiredReason } as const;
	const over = last.isAside === true && done.length > 0 ? sofar : inVain;
	const left = { ...(last.unsoldIds && { unsoldIds: last.unsoldIds }), ...(isOrganic && { isListening: true }) };
	return { ...last, saleId: sofar.saleId, expired: { ...over, ...left } };
}

function settlementOf(outcomes: readonly FactOutcome[], summary: string, isTest: boolean): Settlement {
	const worthWords = outcomes.filter((outcome) => !('isAside' in outcome && outcome.isAside));
	const main = worthWords.length > 0 ? worthWords : outcomes;
	const applied = outcomes.filter((outcome) => outcome.state === 'applied');
	const states = main.map((outcome) => outcome.state);
	const unsoldIds = outcomes.flatMap((outcome) => ('unsoldIds' in outcome ? (outcome.unsoldIds ?? []) : []));
	const state = states.includes('refused') ? 'refused' : states.includes('applied') ? 'applied' : 'ignored';
	const words = main.map((outcome) => outcome.reason).join('; ');
	const reason = worthWords.length > 0 ? words : words === '' ? summary : `${summary.charAt(0).toUpperCase()}${summary.slice(1)}. ${words}`;
	return {
		state,
		reason: isTest && state === 'applied' ? `Test record: nothing real has changed. ${reason}` : reason,
		saleId: applied.findLast((outcome) => outcome.saleId !== undefined)?.saleId,
		reportedIds: applied.flatMap((outcome) => outcome.reportedIds),
		...(unsoldIds.length > 0 && { unsoldIds }),
	};
}

/** If a processor's account serves several programs, each program's endpoint receives all its events. */
export const ANOTHER_PROGRAM = 'The program_id in the metadata does not match the program of this address';

/** Contract, section 8. */
export const TAKEN_ELSEWHERE =
	'Refused: another program has recorded a sale with an id of this payment, and ids are unique across all programs';

/** What an unattributed payment lacks, and where to add it. */
export function unattributedPayment({ sale, awaitsCheckout }: PaymentFact, followsFirstSale: boolean): string {
	const keys = 'Put tracker_customer_key or tracker_click_id in the metadata of the subscription (in Checkout: subscription_data.metadata)';
	if (sale.isRecurring && followsFirstSale)
		return `renewal not attributed: its subscription has no tracker metadata and no earlier sale. ${keys}`;
	if (sale.isRecurring)
		return `renewal not attributed: its subscription has no tracker metadata. ${keys}, or turn on renewals_follow_checkout for the program`;
	if (sale.subscriptionId !== undefined) return 'not attributed: neither the subscription nor its checkout session has tracker metadata';
	if (awaitsCheckout) return 'not attributed: neither the payment nor its checkout session has tracker metadata';
	return 'not attributed: the checkout session has no tracker metadata';
}

export const SALE_TO_BE = '{sale}';
export const COMMISSION_TO_BE = '{commission}';

/** If commission and reason are both null, cron will create the commission. */
export interface PaymentDraft {
	readonly saleId: number | typeof SALE_TO_BE;
	/** Set if the sale was already recorded. */
	readonly transactionId?: string;
	readonly commissionId: number | typeof COMMISSION_TO_BE | null;
	readonly reason: NoCommissionReason | null;
	readonly isNew: boolean;
	/** Set if the amounts differ (decision 54). */
	readonly otherAmount?: { readonly recorded: string; readonly reported: string } | undefined;
}

export function paymentReason(receipt: PaymentDraft): string {
	if (!receipt.isNew && receipt.otherAmount) {
		const { recorded, reported } = receipt.otherAmount;
		return `Already recorded as sale ${receipt.saleId} of ${recorded}. This payment says ${reported}, which changes nothing`;
	}
	if (!receipt.isNew) return `Already recorded as sale ${receipt.saleId}`;
	if (receipt.reason !== null) return `Sale ${receipt.saleId} recorded, no commission: ${NO_COMMISSION[receipt.reason]}`;
	if (receipt.commissionId === null) return `Sale ${receipt.saleId} recorded, its commission has not been created yet`;
	return `Sale ${receipt.saleId} recorded, commission ${receipt.commissionId}`;
}

export interface ReversalReceipt {
	readonly saleId: number;
	readonly commissionId: number | null;
	/** `unchanged`: already known. `no_commission`: the sale has none, or a rejected one. */
	readonly outcome: 'reversed' | 'refunded' | 'reinstated' | 'no_commission' | 'unchanged' | 'test';
	/** In minor units of `currency`. */
	readonly amountCents: number;
	/** Before clamps. */
	readonly deductionCents: number;
	readonly currency: string;
}

export interface ForeignReversal {
	readonly saleId: number;
	readonly transactionId: string;
	/** Undefined while the charge is unknown. */
	readonly chargedIn: string | undefined;
}

/** If the charge is known, a different currency is a mistake. If not, another event may explain it (decision 60). */
export function foreignOutcome(
	{ currency, paymentIds, reversal }: ReversalFact,
	{ saleId, transactionId, chargedIn }: ForeignReversal,
): FactOutcome {
	const kind = reversal.kind === 'dispute' ? 'dispute' : 'refund';
	if (chargedIn !== undefined) return { state: 'refused', reason: `Refused: the ${kind} is in ${currency}, its payment in ${chargedIn}` };
	return {
		state: 'waiting',
		reason: `waits: the ${kind} is in ${currency}, and no event has reported the charge of sale ${saleId} yet`,
		expiredReason: `the ${kind} in ${currency} of sale ${saleId} was not applied: no event reported what was charged for the sale`,
		// The charge may be reported by an id of the payment that this event does not name, but always with the sale.
		waitsFor: [...new Set([...paymentIds, transactionId])],
		watch: 'seldom',
	};
}

export function reversalReason({ reversal }: ReversalFact, receipt: ReversalReceipt): string {
	const what = reversal.kind === 'dispute' ? 'Dispute' : 'Refund';
	const sale = `${moneyText(receipt.amountCents, receipt.currency)} of sale ${receipt.saleId}`;
	const commission = `commission ${receipt.commissionId}`;
	const moved = moneyText(receipt.deductionCents, receipt.currency);
	switch (receipt.outcome) {
		case 'reversed':
			return `${what} of ${sale}: ${commission} reversed, ${moved} deducted`;
		case 'refunded':
			return `${what} of ${sale}: ${commission} reduced by ${moved}`;
		case 'reinstated':
			return `${what === 'Dispute' ? 'Dispute won' : 'Refund failed'}, ${sale} counts again${receipt.commissionId === null || receipt.deductionCents === 0 ? '' : `: ${commission} raised by ${moved}`}`;
		case 'no_commission':
			return `${what} of ${sale}, ${receipt.commissionId === null ? 'which has no commission' : `whose ${commission} is rejected: nothing is deducted`}`;
		case 'unchanged':
			return `${what} of sale ${receipt.saleId}: nothing new, it is already counted`;
		case 'test':
			return `${what} of ${sale}, a test sale`;
	}
}
