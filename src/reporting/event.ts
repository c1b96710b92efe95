import type { EventPosition } from '../domain/reporting/event-position.ts';

export type RefundOutcome = 'reversed' | 'refunded' | 'no_commission' | 'reinstated' | 'skipped' | 'test';

/** Has no email or IP address. A field is null if the type lacks it. */
export interface TrackedEvent extends EventPosition {
	readonly isTest: boolean;
	/** Clicks: a crawler ran the page's script. Stored, but not counted. */
	readonly isBot: boolean | null;
	readonly country: string | null;
	/** Leads: the reported click id. Sales and refunds: the click that attributes the customer. */
	readonly clickId: string | null;
	readonly customerKey: string | null;
	/** Refunds: the refunded sale. */
	readonly saleId: number | null;
	readonly transactionId: string | null;
	readonly productId: string | null;
	/** Minor units of `currency`: the sale's amount or the refunded amount; negative if the refund was reversed. */
	readonly amountCents: number | null;
	readonly currency: string | null;
	readonly commissionId: number | null;
	/** Refunds: the full deduction from the commission; negative if it was reversed. */
	readonly deductionCents: number | null;
	readonly refundId: string | null;
	/** Refunds: `reinstated` if a refund failed at the processor or a dispute was won. */
	readonly outcome: RefundOutcome | null;
	/** Refunds: which source reported it. */
	readonly source: 'endpoint' | 'processor' | null;
	readonly reason: string | null;
	readonly partner: { readonly id: number; readonly name: string } | null;
	readonly shortLink: string | null;
	/** Sales. */
	readonly saleType: 'payment' | 'subscription' | null;
	readonly isRecurring: boolean | null;
	readonly subscriptionId: string | null;
	readonly subscriptionInterval: 'monthly' | 'quarterly' | 'annual' | null;
}
