// The service's fields, and what only the sender knows.

interface Receipt {
	/** The result in plain words. */
	readonly message: string;
	/** True if an earlier attempt of this call got no clear response, and may be the one that recorded it. */
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
	/** True if an earlier attempt of this call got no clear response, and may already have counted the visitor. */
	readonly retried: boolean;
	/** Only for a test click. */
	readonly data?: TestEvent | undefined;
	/** Ignored fields that look misspelt, each with the name that was probably meant. */
	readonly warnings?: readonly string[] | undefined;
}

export interface RecordedLead extends Receipt {
	readonly recorded: true;
	readonly duplicate: false;
	readonly lead_id: number;
	/** Whether a partner brought the customer. False if neither this lead nor an earlier one had a valid click. */
	readonly attributed: boolean;
	readonly data?: undefined;
}

/**
 * Nothing changed, because the customer was already a lead or buyer. An earlier call, or an attempt of this one whose response was lost,
 * recorded them, so the id is unknown.
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
	/** Null if no commission is due, for example after the attribution window; `message` says why. */
	readonly commission_id: number | null;
	readonly data?: undefined;
}

/**
 * A sale with this transaction_id is already recorded, with any commission due. An earlier call, or an attempt of this one whose response
 * was lost, recorded it, so its ids are unknown.
 */
interface DuplicateSale extends Receipt {
	readonly recorded: true;
	readonly duplicate: true;
	/**
	 * Fields that differ from the recorded sale: `amount_cents`, `currency`, `customer`. Empty for an exact repeat; otherwise it may be
	 * another payment, which needs its own `transaction_id`.
	 */
	readonly differs: readonly string[];
	readonly sale_id: null;
	readonly commission_id: null;
	readonly data?: undefined;
}

/** No partner brought this customer, so no commission is due and the sale is not stored. Nothing is left to do. */
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
	/** The amount deducted from the commission, in major units of the sale's currency (dollars). */
	readonly deductionAmount: number;
	readonly commission_id: number;
	readonly retried: boolean;
	/** Ignored fields that look misspelt, each with the name that was probably meant. */
	readonly warnings?: readonly string[] | undefined;
}

/**
 * Nothing changed, because the sale was already refunded or its commission rejected; `reason` says which. If `retried` is true, the earlier
 * refund may be an attempt of this very call.
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
