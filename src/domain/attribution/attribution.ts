import { DAY_MS, MINUTE_MS } from '../calendar.ts';

export type CustomerStatus = 'click' | 'lead' | 'conversion';

export interface AttributedClick {
	readonly clickId: string;
	readonly clickedAt: number;
	readonly referralLinkId: number;
	readonly partnerProgramId: number;
	readonly customers: number;
	/** The coupon that attributes the customer if nobody clicked. */
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
	readonly byKey: Customer | undefined;
	/** Set only if the signature is valid and the link is the program's. */
	readonly click: AttributedClick | undefined;
	/** The first customer of the click. */
	readonly ofClick: Customer | undefined;
}

/** A click of any program. If its link has no partner, it attributes nothing. */
export interface FoundClick extends Omit<AttributedClick, 'partnerProgramId'> {
	readonly programId: number | null;
	readonly partnerProgramId: number | null;
}

/** Drops a click or customer of another program. */
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
			readonly newKey: string | undefined;
			readonly newClick: AttributedClick | undefined;
	  }
	| { readonly kind: 'new'; readonly customerKey: string | undefined; readonly click: AttributedClick | undefined };

/**
 * Decision 4, for callers with the program key. A known key decides: an attributed customer keeps their partner, and one without
 * attribution or purchase gets the click. An unknown key goes to the click's customer if that one has no key, otherwise to another customer
 * of the click.
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
 * How many more customers one click's leads may create. It stops a backend that sends one click id for everybody. Sales are exempt, so that
 * no partner loses money.
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
	readonly keyFromPage: boolean;
}

/** Who owns a claimed key according to the backend's lead: the customer who claimed it, or the lead's click. */
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

/** Decision 4 in browser mode: anybody may hold a click, so a known customer does not change. A click has at most one customer. */
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

export interface PaymentTimes {
	readonly paidAt: number;
	/** The latest time at which the subscription can have begun. */
	readonly subscribedAt: number | undefined;
	/** Set if the trial carries our keys. */
	readonly trialBeganAt: number | undefined;
}

export type Eligibility = 'inside' | 'outside' | 'paid_before_click' | 'subscribed_before_click';

const CLOCK_TOLERANCE_MS = MINUTE_MS;

/**
 * Decisions 8 and 41: a click gets no credit for earlier payments or subscriptions. A trial counts as the first sale of its subscription.
 */
export function eligibilityOf(clickedAt: number, { paidAt, subscribedAt, trialBeganAt }: PaymentTimes, windowDays: number): Eligibility {
	if (isBefore(paidAt, clickedAt)) return 'paid_before_click';
	if (isBefore(Math.min(subscribedAt ?? paidAt, trialBeganAt ?? paidAt), clickedAt)) return 'subscribed_before_click';
	return isInsideWindow(clickedAt, Math.min(paidAt, trialBeganAt ?? paidAt), windowDays) ? 'inside' : 'outside';
}

function isBefore(instant: number, clickedAt: number): boolean {
	return instant < clickedAt - CLOCK_TOLERANCE_MS;
}

/** Decision 8. */
export function isInsideWindow(clickedAt: number, soldAt: number, windowDays: number): boolean {
	return soldAt - clickedAt <= windowDays * DAY_MS;
}
