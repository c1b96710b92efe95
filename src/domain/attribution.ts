import { DAY_MS } from './calendar.ts';

export type CustomerStatus = 'click' | 'lead' | 'conversion';

/** A verified click of the program at hand. */
export interface AttributedClick {
	readonly clickId: string;
	readonly clickedAt: number;
	readonly referralLinkId: number;
	readonly partnerProgramId: number;
	/** How many customers the click stands for already. */
	readonly customers: number;
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
 * Decision 4: a known key wins and its attribution is locked; an unknown key names the click's customer if that has no
 * key yet, else a further customer of the same click; a known customer without attribution that has not bought yet takes
 * the click. A `new` identity without click is an unattributed customer.
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

/** Whether a sale falls into the attribution window that began with the click (decision 8). */
export function isInsideWindow(clickedAt: number, soldAt: number, windowDays: number): boolean {
	return soldAt - clickedAt <= windowDays * DAY_MS;
}
