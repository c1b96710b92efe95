import { DAY_MS } from '../calendar.ts';
import { type Explanation, explainSale, type SaleTimeline, type Step, type TimeContext } from './explanation.ts';
import type { RejectionCode } from '../rejection.ts';
import { countText, dayText, timeText } from '../time-text.ts';

// Explains what is known about an id, and why it led to no commission.

export const QUERY_KINDS = ['transaction_id', 'click_id', 'customer_key', 'payment_id'] as const;

export interface IdQuery {
	readonly kind: (typeof QUERY_KINDS)[number];
	readonly value: string;
}

export interface TimelineRefusal {
	readonly operation: 'lead' | 'sale' | 'refund';
	readonly status: number;
	readonly code: string;
	readonly message: string;
	readonly count: number;
	readonly firstAt: number;
	readonly lastAt: number;
}

export interface TimelineEvent {
	readonly eventId: string;
	readonly type: string;
	readonly isTest: boolean;
	readonly state: 'received' | 'waiting' | 'applied' | 'ignored' | 'refused' | 'expired' | 'failed';
	readonly reason: string | null;
	readonly receivedAt: number;
	readonly nextAttemptAt: number | null;
	readonly expiresAt: number;
}

export interface TimelineCustomer {
	readonly status: 'click' | 'lead' | 'conversion';
	readonly signupDay: string | null;
	readonly createdAt: number;
	readonly clickedAt: number | null;
	readonly shortLink: string | null;
	readonly partnerName: string | null;
	/** The coupon that attributed the customer; null if a click did, or nothing. */
	readonly couponCode: string | null;
}

/** The click with the id. `forged`: we did not sign it; `elsewhere`: it belongs to another program's link. */
export interface TimelineClick {
	readonly verdict: 'own' | 'test' | 'elsewhere' | 'forged';
	readonly clickedAt: number | null;
	readonly shortLink: string | null;
	readonly partnerName: string | null;
	readonly isStored: boolean;
	readonly isBot: boolean;
	/** The coupon behind this id; null for a real click, or if unknown. */
	readonly couponCode: string | null;
}

export interface FoundOfId {
	/** Newest first, like all lists here. */
	readonly sales: readonly SaleTimeline[];
	readonly refusals: readonly TimelineRefusal[];
	readonly events: readonly TimelineEvent[];
	readonly customers: readonly TimelineCustomer[];
	readonly click: TimelineClick | undefined;
	/** Whether another program has recorded a sale with the id. */
	readonly isElsewhere: boolean;
}

export interface Window extends TimeContext {
	/** The program's current attribution window. */
	readonly windowDays: number;
}

/**
 * Explains everything known about an id except its sales, which have their own explanations. The conclusion is the sentence that matters
 * most.
 */
export function explainId(query: IdQuery, found: FoundOfId, time: Window): Explanation {
	const steps = [
		...(found.click ? [clickStep(found.click, time)] : []),
		...found.customers.map((customer) => customerStep(customer, time)),
		...found.refusals.map((refusal): Step => ({ at: refusal.lastAt, kind: 'refusal', text: refusalText(refusal, time) })),
		...found.events.map((event): Step => ({ at: event.receivedAt, kind: 'event', text: eventText(event, time) })),
	].sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
	return { conclusion: conclusionOf(query, found, time), steps };
}

const UNSETTLED: readonly TimelineEvent['state'][] = ['received', 'waiting'];
const TROUBLED: readonly TimelineEvent['state'][] = ['refused', 'expired', 'failed'];

function conclusionOf(query: IdQuery, found: FoundOfId, time: Window): string {
	const [newest] = found.sales;
	if (newest) {
		const { conclusion } = explainSale(newest, time);
		return found.sales.length === 1 ? conclusion : `${found.sales.length} sales are known by it. The newest: ${conclusion}`;
	}
	const { click } = found;
	if (click && click.verdict !== 'own') return clickStep(click, time).text;
	const event = found.events.find(({ state }) => UNSETTLED.includes(state)) ?? found.events.find(({ state }) => TROUBLED.includes(state));
	if (event) return eventText(event, time);
	const refusal = found.refusals.find(({ operation }) => operation === 'sale') ?? found.refusals[0];
	if (refusal) return refusalText(refusal, time);
	if (found.isElsewhere)
		return 'Another program has recorded a sale by this id: ids are unique over all programs, so put a prefix of your own before yours';
	return withoutSale(query, found, time);
}

function withoutSale({ kind }: IdQuery, { customers, events, click }: FoundOfId, time: Window): string {
	const [customer] = customers;
	if (customer) return `No sale of this customer was reported. ${prospectOf(customer.clickedAt, time)}`;
	if (click) return `Nobody who came by this click has signed up or bought. ${prospectOf(click.clickedAt, time)}`;
	const [event] = events;
	if (event) return eventText(event, time);
	return UNKNOWN[kind];
}

const UNKNOWN = {
	transaction_id:
		'Nothing with this transaction_id was reported in this program. See that the backend sends its sale, in the very letter case; refusals are kept for 30 days',
	payment_id:
		'No sale and no event of the payment processor with this id is known in this program. See that its webhook sends here, and the inbox: GET .../processor-events',
	customer_key:
		'No customer with this key is known in this program, and no call that named it was refused in the last 30 days. See that the backend sends its lead, in the very letter case',
	click_id: 'Nothing is known of this click',
} as const satisfies Record<IdQuery['kind'], string>;

/** Whether a sale reported now would earn. */
function prospectOf(clickedAt: number | null, { now, timeZone, windowDays }: Window): string {
	if (clickedAt === null) return 'No partner brought it: its sales are refused with 400';
	const ends = clickedAt + windowDays * DAY_MS;
	return now <= ends
		? `Its window of ${countText(windowDays, 'day')} ends on ${timeText(ends, timeZone)}`
		: `Its window of ${countText(windowDays, 'day')} ended on ${timeText(ends, timeZone)}: what is paid later earns nothing, unless it renews a subscription`;
}

function clickStep(click: TimelineClick, { timeZone }: TimeContext): Step {
	return { at: click.clickedAt, kind: 'click', text: clickText(click, timeZone) };
}

function clickText({ verdict, clickedAt, shortLink, partnerName, isStored, isBot, couponCode }: TimelineClick, timeZone: string): string {
	switch (verdict) {
		case 'forged':
			return 'This click id is not one of this service: its signature does not fit. It was made up, cut off or changed on its way, or signed with a secret that is gone';
		case 'elsewhere':
			return 'This click is not on a link of this program: it brings no customer of it';
		case 'test':
			return 'This click was made in test mode: outside of it, it brings nobody';
		case 'own': {
			if (couponCode !== null) return `This id stands for coupon ${couponCode}, with which somebody bought: nobody clicked`;
			const by = partnerName === null ? ', a link that has no partner any more' : `, a link of ${partnerName}`;
			const crawler = isBot ? '. A crawler made it, so that it is not counted' : '';
			const stored = isStored ? '' : '. The id is genuine; its page and country are not stored';
			return `Clicked ${shortLink} on ${clickedAt === null ? 'a day that is not known' : timeText(clickedAt, timeZone)}${by}${crawler}${stored}`;
		}
	}
}

const STATUS = { click: 'has only clicked so far', lead: 'has signed up', conversion: 'has bought' } as const;

function customerStep(customer: TimelineCustomer, { timeZone }: TimeContext): Step {
	const { status, signupDay, createdAt, clickedAt, shortLink, partnerName, couponCode } = customer;
	const signup = signupDay === null ? '' : `, on ${dayText(signupDay)}`;
	const brought =
		clickedAt === null
			? 'no partner brought it'
			: `brought by ${partnerName ?? 'a partner'}, who had ${couponCode === null ? `the click on ${shortLink}` : `the coupon ${couponCode}`} of ${timeText(clickedAt, timeZone)}`;
	return { at: createdAt, kind: 'lead', text: `The customer ${STATUS[status]}${signup}; ${brought}` };
}

/** What to do about a refusal if its message does not say so. */
export const ADVICE: Partial<Record<RejectionCode, string>> = {
	lead_customer_not_found: 'The click id is not genuine, or none of this program, and no customer_key came with it',
	lead_customer_elsewhere: 'The customer, or the click, belongs to another program',
	lead_status_locked: 'The signup was known already: nothing was to be recorded',
	customer_key_from_browser: 'The program takes a customer_key from its backend only (server_leads_only)',
	sale_customer_not_found:
		"Nobody with the customer_key had signed up, and neither a genuine click id nor a partner's coupon came with the sale. Send the lead first, with the click id",
	sale_customer_elsewhere: 'The customer, or the click, belongs to another program',
	partner_program_gone: 'The membership of the partner who brought the customer had ended, or its link has no partner any more',
	customer_unattributed: 'No partner brought the customer: the lead came without a click',
	paid_before_click: 'It was paid before the click by which the customer came',
	subscribed_before_click: 'The subscription had begun before the click by which the customer came',
	transaction_recorded_differently: 'The sale that was recorded first stands. Send another payment under an id of its own',
	transaction_recorded_elsewhere: 'Another program has used the id: put a prefix of your own before yours',
	event_differs: 'Another event had come under this webhook-id: nothing was recorded of this one',
	sale_not_found: 'No sale with this transaction_id was recorded in this program when the refund came',
	invalid_input: 'What was sent was not right: nothing was recorded',
	body_too_large: 'What was sent was too large: nothing was recorded',
};

export function refusalText(
	{ operation, status, code, message, count, firstAt, lastAt }: TimelineRefusal,
	{ timeZone }: TimeContext,
): string {
	const times = count === 1 ? '' : ` (${count} times since ${timeText(firstAt, timeZone)})`;
	const advice = Object.entries(ADVICE).find(([known]) => known === code)?.[1];
	const text = `The ${operation} was refused with ${status} on ${timeText(lastAt, timeZone)}${times}: ${message.replace(/\.$/, '')}`;
	return advice === undefined ? text : `${text}. ${advice}`;
}

export function eventText(
	{ eventId, type, isTest, state, reason, nextAttemptAt, expiresAt }: TimelineEvent,
	{ timeZone }: TimeContext,
): string {
	const event = `${isTest ? 'Test event' : 'Event'} ${eventId} (${type})`;
	// The inbox's reasons for waiting begin with "waits: ".
	const because = reason === null ? '' : `: ${reason.replace(/^waits: |\.$/g, '')}`;
	const again = nextAttemptAt === null ? '' : `. It is looked at again on ${timeText(nextAttemptAt, timeZone)}`;
	switch (state) {
		case 'received':
			return `${event} has come and was not processed yet${because}${again}`;
		case 'waiting':
			return `${event} waits${because}${again}, and when something more is told; it gives up on ${timeText(expiresAt, timeZone)}`;
		case 'applied':
			return `${event} was applied${because}`;
		case 'ignored':
			return `${event} says nothing of a sale${because}`;
		case 'refused':
			return `${event} was refused${because}`;
		case 'expired':
			return `${event} waited in vain${because}`;
		case 'failed':
			return `${event} was given up after faults${because}`;
	}
}
