import { DAY_MS, MINUTE_MS } from '../calendar.ts';

export type CustomerStatus = 'click' | 'lead' | 'conversion';

/** A verified click of the program. */
export interface AttributedClick {
	readonly clickId: string;
	readonly clickedAt: number;
	readonly referralLinkId: number;
	readonly partnerProgramId: number;
	/** How many customers it has brought. */
	readonly customers: number;
	/** The coupon used instead, if nobody clicked. */
	readonly couponId?: number | undefined;
}

/** The stored facts about a customer that attribution needs. */
export interface KnownCustomer {
	readonly id: number;
	readonly revision: number;
	readonly status: CustomerStatus;
	readonly customerKey: string | null;
	readonly clickId: string | null;
}

/** The records that match the ids of a lead or sale. */
export interface Evidence<Customer extends KnownCustomer> {
	readonly customerKey: string | undefined;
	/** The customer with that key. */
	readonly byKey: Customer | undefined;
	/** The click, if its id verifies and its link is of this program. */
	readonly click: AttributedClick | undefined;
	/** The first customer of the click. */
	readonly ofClick: Customer | undefined;
}

/** A click of any program. If its link has no partner, it attributes nothing. */
export interface FoundClick extends Omit<AttributedClick, 'partnerProgramId'> {
	readonly programId: number | null;
	readonly partnerProgramId: number | null;
}

/** Drops a click or customer that belongs to another program. */
export function evidenceOf<Customer extends KnownCustomer & { readonly programId: number }>(
	programId: number,
	{ click, ofClick, ...found }: Omit<Evidence<Customer>, 'click'> & { readonly click: FoundClick | undefined },
): Evidence<Customer> {
	const isOwn = click !== undefined && click.programId === programId && click.partnerProgramId !== null;
	return {
		...found,
		click: isOwn ? { ...click, partnerProgramId: click.partnerProgramId } : undefined,
		ofClick: ofClick?.programId === programId ? ofClick : undefined,
	};
}

/** The customer of a lead or sale, and what changes about them. */
export type Identity<Customer extends KnownCustomer> =
	| {
			readonly kind: 'known';
			readonly customer: Customer;
			/** A key for a customer who had none. */
			readonly newKey: string | undefined;
			/** A click that attributes a customer who had no attribution. */
			readonly newClick: AttributedClick | undefined;
	  }
	| { readonly kind: 'new'; readonly customerKey: string | undefined; readonly click: AttributedClick | undefined };

/**
 * Decision 4, for callers with the program key. A known key decides, and its attribution is locked. An unknown key goes to the click's
 * customer if that one has no key; otherwise to another customer of the click. A known customer without attribution or purchase gets the
 * click. A `new` identity without a click is unattributed.
 */
export function identify<Customer extends KnownCustomer>(evidence: Evidence<Customer>): Identity<Customer> {
	const { byKey, click, ofClick, customerKey } = evidence;
	if (byKey) {
		const takesClick = byKey.clickId === null && byKey.status !== 'conversion';
		return { kind: 'known', customer: byKey, newKey: undefined, newClick: takesClick ? click : undefined };
	}
	if (ofClick && (customerKey === undefined || ofClick.customerKey === null)) {
		return { kind: 'known', customer: ofClick, newKey: customerKey, newClick: undefined };
	}
	return { kind: 'new', customerKey, click };
}

/**
 * How many more customers one click's leads may create or take over. A device at a trade show has hundreds; a backend that sends one id for
 * everybody has no limit. Sales are exempt, so that a partner never loses money.
 */
export const FURTHER_CUSTOMERS = 1000;

/** Like `identify`, but if the click is full, the lead's customer is recorded without it. */
export function identifyLead<Customer extends KnownCustomer>(evidence: Evidence<Customer>): Identity<Customer> {
	return identify(isFull(evidence.click) ? { ...evidence, click: undefined } : evidence);
}

function isFull(click: AttributedClick | undefined): boolean {
	return click !== undefined && click.customers > FURTHER_CUSTOMERS;
}

/** A customer whose key a page may have claimed without proof. */
export interface ClaimedCustomer extends KnownCustomer {
	/** Whether the key came from a page and no backend lead has settled the claim. */
	readonly keyFromPage: boolean;
}

/** How a backend's lead settles a claimed key: it belongs to the customer who claimed it, or to the lead's click. */
export type SettledClaim<Customer extends ClaimedCustomer> =
	| { readonly kind: 'confirmed'; readonly claimant: Customer }
	| { readonly kind: 'moved'; readonly claimant: Customer; readonly identity: Identity<Customer> };

/** Decision 4: a lead with a click settles a claim, unless the claiming customer has bought. Undefined if there is nothing to settle. */
export function settleClaim<Customer extends ClaimedCustomer>(evidence: Evidence<Customer>): SettledClaim<Customer> | undefined {
	const { byKey: claimant, click } = evidence;
	if (!claimant?.keyFromPage || claimant.status === 'conversion' || !click) return undefined;
	if (click.clickId === claimant.clickId) return { kind: 'confirmed', claimant };
	return isFull(click) ? undefined : { kind: 'moved', claimant, identity: identify({ ...evidence, byKey: undefined }) };
}

/** The customer of a lead without the program key. `locked`: a known customer, who does not change. */
export type VisitorIdentity<Customer extends KnownCustomer> =
	| Identity<Customer>
	| { readonly kind: 'locked'; readonly customer: Customer }
	| { readonly kind: 'nobody' };

/**
 * Decision 4 in browser mode, where anybody may have a click: a known customer does not change, except that an unknown key goes to the
 * click's customer if that one has no key. So a click has at most one customer.
 */
export function identifyVisitor<Customer extends KnownCustomer>(evidence: Evidence<Customer>): VisitorIdentity<Customer> {
	const { byKey, click, ofClick, customerKey } = evidence;
	if (byKey) return { kind: 'locked', customer: byKey };
	if (ofClick) {
		const isNamed = customerKey !== undefined && ofClick.customerKey === null;
		const isFirst = customerKey === undefined && ofClick.status === 'click';
		return isNamed || isFirst
			? { kind: 'known', customer: ofClick, newKey: customerKey, newClick: undefined }
			: { kind: 'locked', customer: ofClick };
	}
	return click ? { kind: 'new', customerKey, click } : { kind: 'nobody' };
}

/** When a sale was paid, and when its subscription began. */
export interface PaymentTimes {
	readonly paidAt: number;
	/** The latest time at which the subscription can have begun. */
	readonly subscribedAt: number | undefined;
	/** When the trial began, if the subscription began with one and carries our keys. */
	readonly trialBeganAt: number | undefined;
}

/** Whether a sale is inside the click's window, after it, or from before the click. */
export type Eligibility = 'inside' | 'outside' | 'paid_before_click' | 'subscribed_before_click';

/** The largest clock difference that we tolerate. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;

/**
 * Decisions 8 and 41: a click gets no credit for payments before it, nor for subscriptions that began before it. A trial counts as the
 * first sale of its subscription.
 */
export function eligibilityOf(clickedAt: number, { paidAt, subscribedAt, trialBeganAt }: PaymentTimes, windowDays: number): Eligibility {
	if (isBefore(paidAt, clickedAt)) return 'paid_before_click';
	if (isBefore(Math.min(subscribedAt ?? paidAt, trialBeganAt ?? paidAt), clickedAt)) return 'subscribed_before_click';
	return isInsideWindow(clickedAt, Math.min(paidAt, trialBeganAt ?? paidAt), windowDays) ? 'inside' : 'outside';
}

function isBefore(instant: number, clickedAt: number): boolean {
	return instant < clickedAt - CLOCK_TOLERANCE_MS;
}

/** Whether an instant is inside the attribution window of the click (decision 8). */
export function isInsideWindow(clickedAt: number, soldAt: number, windowDays: number): boolean {
	return soldAt - clickedAt <= windowDays * DAY_MS;
}
