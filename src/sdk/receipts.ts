// What a recorded lead, sale or refund is answered with: the fields of the wire, and what only the sender can know.

interface Receipt {
	/** In plain words. */
	readonly message: string;
	/** An earlier try of this call got no clear answer, and may be what recorded it. */
	readonly retried: boolean;
	/** Fields that look like misspelt ones and were ignored, each with the name that was probably meant. */
	readonly warnings?: readonly string[] | undefined;
}

/** The flagged record of a call in test mode. */
export interface TestEvent {
	readonly eventId: number;
	readonly programId: number;
	readonly test_mode: true;
}

/** A click, to be kept in the cookie `tracker_click_id` of the visitor. */
export interface ClickReceipt {
	readonly click_id: string;
	/** How long the cookie shall live. */
	readonly cookie_window_days: number;
	/** The `aff` value: whose link it was. */
	readonly partner_code: string;
	/** An earlier try of this call got no clear answer: it may have counted the visitor already. */
	readonly retried: boolean;
	/** Of a test click. */
	readonly data?: TestEvent | undefined;
	/** Fields that look like misspelt ones and were ignored, each with the name that was probably meant. */
	readonly warnings?: readonly string[] | undefined;
}

export interface RecordedLead extends Receipt {
	readonly recorded: true;
	readonly duplicate: false;
	readonly lead_id: number;
	/** Whether a partner brought the customer. False: no valid click came with this lead, nor with an earlier one. */
	readonly attributed: boolean;
	readonly data?: undefined;
}

/**
 * The customer was a lead or a buyer already, and nothing has changed. By an earlier call, or by a try of this one whose
 * answer was lost; so the id is not known.
 */
interface DuplicateLead extends Receipt {
	readonly recorded: true;
	readonly duplicate: true;
	readonly lead_id: null;
	/** Not told. */
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
	/** Null: no commission is due, for instance as the attribution window has expired; `message` says why. */
	readonly commission_id: number | null;
	readonly data?: undefined;
}

/**
 * A sale with this transaction_id was recorded already, with whatever commission is due for it. By an earlier call, or by a
 * try of this one whose answer was lost; so the ids are not known.
 */
interface DuplicateSale extends Receipt {
	readonly recorded: true;
	readonly duplicate: true;
	/**
	 * What you sent that differs from the recorded sale: `amount_cents`, `currency`, `customer`. Empty for a true repetition; else it may
	 * be another payment, which needs a `transaction_id` of its own.
	 */
	readonly differs: readonly string[];
	readonly sale_id: null;
	readonly commission_id: null;
	readonly data?: undefined;
}

/** No partner brought this customer: nobody is owed a commission, and the service keeps no such sale. There is nothing to do. */
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
	/** `reversed`: the full refund. `refunded`: a part. */
	readonly status: 'reversed' | 'refunded';
	/** What it takes from the commission, in major units of the sale's currency (dollars). */
	readonly deductionAmount: number;
	readonly commission_id: number;
	readonly retried: boolean;
	/** Fields that look like misspelt ones and were ignored, each with the name that was probably meant. */
	readonly warnings?: readonly string[] | undefined;
}

/**
 * It changed nothing: the sale was refunded before, or its commission was rejected; `reason` says which. Where `retried` is
 * true, the refund before may be an earlier try of this very call.
 */
export interface SkippedRefund {
	readonly status: 'skipped';
	readonly reason: string;
	readonly commission_id: number;
	readonly retried: boolean;
	/** Fields that look like misspelt ones and were ignored, each with the name that was probably meant. */
	readonly warnings?: readonly string[] | undefined;
}

/** The sale has no commission to reverse. The refund is recorded, for net revenue. */
export interface RefundWithoutCommission extends Receipt {
	readonly status: 'no_commission';
}

export interface TestRefund extends Receipt {
	readonly status: 'test';
	readonly data: TestEvent;
}

export type RefundReceipt = EffectiveRefund | SkippedRefund | RefundWithoutCommission | TestRefund;
