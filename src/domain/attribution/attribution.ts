import { DAY_MS, MINUTE_MS } from '../calendar.ts';

export type CustomerStatus = 'click' | 'lead' | 'conversion';

/** A verified click of the program at hand. */
export interface AttributedClick {
	readonly clickId: string;
	readonly clickedAt: number;
	readonly referralLinkId: number;
	readonly partnerProgramId: number;
	/** How many customers it has brought already. */
	readonly customers: number;
	/** The coupon that it stands for: nobody clicked. */
	readonly couponId?: number | undefined;
}

/** What attribution asks of a stored customer. */
export interface KnownCustomer {
	readonly id: number;
	readonly revision: number;
	readonly status: CustomerStatus;
	readonly customerKey: string | null;
	readonly clickId: string | null;
}

/** What is known of the ids that a lead or sale brought. */
export interface Evidence<Customer extends KnownCustomer> {
	readonly customerKey: string | undefined;
	/** The customer with that key. */
	readonly byKey: Customer | undefined;
	/** The click, when its id verifies and its link is of this program. */
	readonly click: AttributedClick | undefined;
	/** The customer that the click itself stands for. */
	readonly ofClick: Customer | undefined;
}

/** A click of whatever program, with that program's id; a link that lost its partner attributes nothing. */
export interface FoundClick extends Omit<AttributedClick, 'partnerProgramId'> {
	readonly programId: number | null;
	readonly partnerProgramId: number | null;
}

/** What the ids lead to, as far as it is the program's own. */
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

/** Who a lead or sale is about, and what it newly tells of them. */
export type Identity<Customer extends KnownCustomer> =
	| {
			readonly kind: 'known';
			readonly customer: Customer;
			/** A key that the customer did not have yet. */
			readonly newKey: string | undefined;
			/** The attribution of a customer that had none. */
			readonly newClick: AttributedClick | undefined;
	  }
	| { readonly kind: 'new'; readonly customerKey: string | undefined; readonly click: AttributedClick | undefined };

/**
 * Decision 4, for callers with the program key: a known key wins and its attribution is locked; an unknown key names the click's
 * customer if that has no key yet, else a further customer of the same click; a known customer without attribution that has not
 * bought yet takes the click. A `new` identity without click is an unattributed customer.
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
 * How many customers of a click its leads make, and take, beside the first. A device at a trade show has hundreds; a backend that
 * sends one id for everybody has no end. Sales are not held to it: money that a click brought is never lost for its partner.
 */
export const FURTHER_CUSTOMERS = 1000;

/** The same for a lead: beyond the limit its click attributes nobody any more, and the customer is recorded without. */
export function identifyLead<Customer extends KnownCustomer>(evidence: Evidence<Customer>): Identity<Customer> {
	return identify(isFull(evidence.click) ? { ...evidence, click: undefined } : evidence);
}

function isFull(click: AttributedClick | undefined): boolean {
	return click !== undefined && click.customers > FURTHER_CUSTOMERS;
}

/** A customer whose key may be only what a page has claimed. */
export interface ClaimedCustomer extends KnownCustomer {
	/** Whether a page brought the key, and no lead of a backend has settled whose it is. */
	readonly keyFromPage: boolean;
}

/** What a backend's lead says of a key that only a page has claimed: it is of the claiming customer, or of the lead's own click. */
export type SettledClaim<Customer extends ClaimedCustomer> =
	| { readonly kind: 'confirmed'; readonly claimant: Customer }
	| { readonly kind: 'moved'; readonly claimant: Customer; readonly identity: Identity<Customer> };

/** Decision 4: a lead with a click settles the claim as long as the claiming customer has not bought. Undefined: there is nothing to settle. */
export function settleClaim<Customer extends ClaimedCustomer>(evidence: Evidence<Customer>): SettledClaim<Customer> | undefined {
	const { byKey: claimant, click } = evidence;
	if (!claimant?.keyFromPage || claimant.status === 'conversion' || !click) return undefined;
	if (click.clickId === claimant.clickId) return { kind: 'confirmed', claimant };
	return isFull(click) ? undefined : { kind: 'moved', claimant, identity: identify({ ...evidence, byKey: undefined }) };
}

/** Who a lead without the program key is about. `locked`: the customer is known already, and nobody else can be meant. */
export type VisitorIdentity<Customer extends KnownCustomer> =
	| Identity<Customer>
	| { readonly kind: 'locked'; readonly customer: Customer }
	| { readonly kind: 'nobody' };

/**
 * Decision 4 in browser mode, where anybody may have a click of their own: a customer that is known stays as it is, but that an
 * unknown key names the click's own customer if that has no key yet. So a click is one customer at most.
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

/** When a sale was paid, and what is known of the subscription that it pays for. */
export interface PaymentTimes {
	readonly paidAt: number;
	/** Since when the subscription has run, at the latest. */
	readonly subscribedAt: number | undefined;
	/** When the subscription began with a trial, and carries the keys. */
	readonly trialBeganAt: number | undefined;
}

/** Whether a click has brought a sale: inside its attribution window, outside of it, or too late. */
export type Eligibility = 'inside' | 'outside' | 'paid_before_click' | 'subscribed_before_click';

/** Clocks differ by no more. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;

/**
 * Decisions 8 and 41: a click has brought neither what was paid before it nor the payments of a subscription that ran before it.
 * A trial counts as the first sale of its subscription, so that its payments are as much inside the window as it was.
 */
export function eligibilityOf(clickedAt: number, { paidAt, subscribedAt, trialBeganAt }: PaymentTimes, windowDays: number): Eligibility {
	if (isBefore(paidAt, clickedAt)) return 'paid_before_click';
	if (isBefore(Math.min(subscribedAt ?? paidAt, trialBeganAt ?? paidAt), clickedAt)) return 'subscribed_before_click';
	return isInsideWindow(clickedAt, Math.min(paidAt, trialBeganAt ?? paidAt), windowDays) ? 'inside' : 'outside';
}

function isBefore(instant: number, clickedAt: number): boolean {
	return instant < clickedAt - CLOCK_TOLERANCE_MS;
}

/** Whether a moment falls into the attribution window that began with the click (decision 8). */
export function isInsideWindow(clickedAt: number, soldAt: number, windowDays: number): boolean {
	return soldAt - clickedAt <= windowDays * DAY_MS;
}
