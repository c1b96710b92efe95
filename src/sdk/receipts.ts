// The answer to a recorded lead, sale or refund: the service's fields, and what only the sender knows.

interface Receipt {
	/** In plain words. */
	readonly message: string;
	/** An earlier try of this call got no clear answer, and may be the one that recorded it. */
	readonly retried: boolean;
	/** Ignored fields that look misspelt, each with the name that was probably meant. */
	readonly warnings?: readonly string[] | undefined;
}

/** The flagged record of a call in test mode. */
export interface TestEvent {
	readonly eventId: number;
	readonly programId: number;
	readonly test_mode: true;
}

/** A click, for the visitor's cookie `tracker_click_id`. */
export interface ClickReceipt {
	readonly click_id: string;
	/** The lifetime of the cookie in days. */
	readonly cookie_window_days: number;
	/** The `aff` value of the link. */
	readonly partner_code: string;
	/** An earlier try of this call got no clear answer, and may have counted the visitor already. */
	readonly retried: boolean;
	/** For a test click. */
	readonly data?: TestEvent | undefined;
	/** Ignored fields that look misspelt, each with the name that was probably meant. */
	readonly warnings?: readonly string[] | undefined;
}

export interface RecordedLead extends Receipt {
	readonly recorded: true;
	readonly duplicate: false;
	readonly lead_id: number;
	/** Whether a partner brought the customer. False if no valid click came with this lead or an earlier one. */
	readonly attributed: boolean;
	readonly data?: undefined;
}

/**
 * The customer was already a lead or a buyer, and nothing has changed: by an earlier call, or by a try of this one whose answer was lost.
 * So the id is unknown.
 */
interface DuplicateLead extends Receipt {
	readonly recorded: true;
	readonly duplicate: true;
	readonly lead_id: null;
	/** Unknown. */
	readonly attributed: null;
	readonly data?: undefined;
}

interface RecordedTestLead extends Receipt {
	readonly recorded: true;
	readonly duplicate: false;
	readonly lead_id: null;
	readonly attributed: null;
	readonly data: TestEvent;
}

export type LeadReceipt = RecordedLead | DuplicateLead | RecordedTestLead;

export interface RecordedSale extends Receipt {
	readonly recorded: true;
	readonly duplicate: false;
	readonly sale_id: number;
	/** Null if no commission is due, for instance after the attribution window; `message` says why. */
	readonly commission_id: number | null;
	readonly data?: undefined;
}

/**
 * A sale with this transaction_id was already recorded, with any commission due: by an earlier call, or by a try of this one whose answer
 * was lost. So the ids are unknown.
 */
interface DuplicateSale extends Receipt {
	readonly recorded: true;
	readonly duplicate: true;
	/**
	 * Fields that differ from the recorded sale: `amount_cents`, `currency`, `customer`. Empty for an exact repetition; otherwise it may
	 * be another payment, which needs its own `transaction_id`.
	 */
	readonly differs: readonly string[];
	readonly sale_id: null;
	readonly commission_id: null;
	readonly data?: undefined;
}

/** No partner brought this customer: no commission is due, and the service stores no such sale. There is nothing to do. */
interface UnattributedSale extends Receipt {
	readonly recorded: false;
	readonly duplicate: false;
	readonly sale_id: null;
	readonly commission_id: null;
	readonly data?: undefined;
}

interface RecordedTestSale extends Receipt {
	readonly recorded: true;
	readonly duplicate: false;
	readonly sale_id: null;
	readonly commission_id: null;
	readonly data: TestEvent;
}

export type SaleReceipt = RecordedSale | DuplicateSale | UnattributedSale | RecordedTestSale;

export interface EffectiveRefund {
	/** `reversed`: a full refund. `refunded`: a partial one. */
	readonly status: 'reversed' | 'refunded';
	/** The amount taken from the commission, in major units of the sale's currency (dollars). */
	readonly deductionAmount: number;
	readonly commission_id: number;
	readonly retried: boolean;
	/** Ignored fields that look misspelt, each with the name that was probably meant. */
	readonly warnings?: readonly string[] | undefined;
}

/**
 * The refund changed nothing: the sale was refunded before, or its commission was rejected; `reason` says which. If `retried` is true,
 * the earlier refund may be a try of this very call.
 */
export interface SkippedRefund {
	readonly status: 'skipped';
	readonly reason: string;
	readonly commission_id: number;
	readonly retried: boolean;
	/** Ignored fields that look misspelt, each with the name that was probably meant. */
	readonly warnings?: readonly string[] | undefined;
}

/** The sale has no commission to reverse. The refund is recorded for net revenue. */
export interface RefundWithoutCommission extends Receipt {
	readonly status: 'no_commission';
}

export interface TestRefund extends Receipt {
	readonly status: 'test';
	readonly data: TestEvent;
}

export type RefundReceipt = EffectiveRefund | SkippedRefund | RefundWithoutCommission | TestRefund;
