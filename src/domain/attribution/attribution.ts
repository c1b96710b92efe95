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
	/** The coupon that it stands for, if nobody clicked. */
	readonly couponId?: number | undefined;
}

/** The stored facts of a customer that attribution needs. */
export interface KnownCustomer {
	readonly id: number;
	readonly revision: number;
	readonly status: CustomerStatus;
	readonly customerKey: string | null;
	readonly clickId: string | null;
}

/** What the ids of a lead or sale lead to. */
export interface Evidence<Customer extends KnownCustomer> {
	readonly customerKey: string | undefined;
	/** The customer with that key. */
	readonly byKey: Customer | undefined;
	/** The click, if its id verifies and its link is of this program. */
	readonly click: AttributedClick | undefined;
	/** The customer that the click stands for. */
	readonly ofClick: Customer | undefined;
}

/** A click of any program, with its id. A link without a partner attributes nothing. */
export interface FoundClick extends Omit<AttributedClick, 'partnerProgramId'> {
	readonly programId: number | null;
	readonly partnerProgramId: number | null;
}

/** The evidence, limited to the program's own. */
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

/** Who a lead or sale is about, and what is new about them. */
export type Identity<Customer extends KnownCustomer> =
	| {
			readonly kind: 'known';
			readonly customer: Customer;
			/** A key that the customer lacked. */
			readonly newKey: string | undefined;
			/** The attribution of a customer that had none. */
			readonly newClick: AttributedClick | undefined;
	  }
	| { readonly kind: 'new'; readonly customerKey: string | undefined; readonly click: AttributedClick | undefined };

/**
 * Decision 4, for callers with the program key. A known key wins, and its attribution is locked. An unknown key names the click's
 * customer if that has no key, else a further customer of the click. A known customer without attribution or purchase takes the click. A
 * `new` identity without click is unattributed.
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
 * How many further customers the leads of a click create or take. A device at a trade show has hundreds; a backend that sends one id for
 * everybody has no end. Sales are exempt, so that a partner never loses money.
 */
export const FURTHER_CUSTOMERS = 1000;

/** As identify, but beyond the limit the lead's customer is recorded without the click. */
export function identifyLead<Customer extends KnownCustomer>(evidence: Evidence<Customer>): Identity<Customer> {
	return identify(isFull(evidence.click) ? { ...evidence, click: undefined } : evidence);
}

function isFull(click: AttributedClick | undefined): boolean {
	return click !== undefined && click.customers > FURTHER_CUSTOMERS;
}

/** A customer whose key a page may have claimed without proof. */
export interface ClaimedCustomer extends KnownCustomer {
	/** Whether a page brought the key and no backend's lead has settled it. */
	readonly keyFromPage: boolean;
}

/** What a backend's lead decides about a claimed key: it belongs to the claiming customer, or to the lead's click. */
export type SettledClaim<Customer extends ClaimedCustomer> =
	| { readonly kind: 'confirmed'; readonly claimant: Customer }
	| { readonly kind: 'moved'; readonly claimant: Customer; readonly identity: Identity<Customer> };

/** Decision 4: a lead with a click settles a claim, unless the claiming customer has bought. Undefined: there is nothing to settle. */
export function settleClaim<Customer extends ClaimedCustomer>(evidence: Evidence<Customer>): SettledClaim<Customer> | undefined {
	const { byKey: claimant, click } = evidence;
	if (!claimant?.keyFromPage || claimant.status === 'conversion' || !click) return undefined;
	if (click.clickId === claimant.clickId) return { kind: 'confirmed', claimant };
	return isFull(click) ? undefined : { kind: 'moved', claimant, identity: identify({ ...evidence, byKey: undefined }) };
}

/** Who a lead without the program key is about. `locked`: a known customer, who stays as they are. */
export type VisitorIdentity<Customer extends KnownCustomer> =
	| Identity<Customer>
	| { readonly kind: 'locked'; readonly customer: Customer }
	| { readonly kind: 'nobody' };

/**
 * Decision 4 in browser mode, where anybody may have a click: a known customer does not change, except that an unknown key names the
 * click's customer if that has no key. So a click is at most one customer.
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

/** When a sale was paid, and what is known of its subscription. */
export interface PaymentTimes {
	readonly paidAt: number;
	/** Since when the subscription runs at the latest. */
	readonly subscribedAt: number | undefined;
	/** When a subscription that carries the keys began with a trial. */
	readonly trialBeganAt: number | undefined;
}

/** Whether a click brought a sale: inside its window, outside it, or too late. */
export type Eligibility = 'inside' | 'outside' | 'paid_before_click' | 'subscribed_before_click';

/** The largest difference between clocks. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;

/**
 * Decisions 8 and 41: a click has brought neither what was paid before it nor payments of a subscription that ran before it. A trial
 * counts as the first sale of its subscription.
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
