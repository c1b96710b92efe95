import { DAY_MS } from '../calendar.ts';
import { type Explanation, explainSale, type SaleTimeline, type Step, type TimeContext } from './explanation.ts';
import type { RejectionCode } from '../rejection.ts';
import { countText, dayText, timeText } from '../time-text.ts';

// Explains what is known about an id, and why it produced no commission.

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
	/** The coupon that attributed the customer; null if there was none. */
	readonly couponCode: string | null;
}

/** `forged`: the service did not sign it. `elsewhere`: its link belongs to another program. */
export interface TimelineClick {
	readonly verdict: 'own' | 'test' | 'elsewhere' | 'forged';
	readonly clickedAt: number | null;
	readonly shortLink: string | null;
	readonly partnerName: string | null;
	readonly isStored: boolean;
	/** Null if its day is not retired. */
	readonly retirement: { readonly isInFiles: boolean; readonly at: number } | null;
	readonly isBot: boolean;
	/** The coupon behind this id; null for a real click, or if unknown. */
	readonly couponCode: string | null;
}

export interface FoundOfId {
	/** All lists here are newest first. */
	readonly sales: readonly SaleTimeline[];
	readonly refusals: readonly TimelineRefusal[];
	readonly events: readonly TimelineEvent[];
	readonly customers: readonly TimelineCustomer[];
	readonly click: TimelineClick | undefined;
	readonly isElsewhere: boolean;
}

export interface Window extends TimeContext {
	readonly windowDays: number;
}

/** Explains what is known about an id, except its sales. */
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
		return found.sales.length === 1 ? conclusion : `${found.sales.length} sales have this id. The newest: ${conclusion}`;
	}
	const { click } = found;
	if (click && click.verdict !== 'own') return clickStep(click, time).text;
	const event = found.events.find(({ state }) => UNSETTLED.includes(state)) ?? found.events.find(({ state }) => TROUBLED.includes(state));
	if (event) return eventText(event, time);
	const refusal = found.refusals.find(({ operation }) => operation === 'sale') ?? found.refusals[0];
	if (refusal) return refusalText(refusal, time);
	if (found.isElsewhere)
		return 'Another program has recorded a sale with this id. Ids are unique across all programs, so add your own prefix to them';
	return withoutSale(query, found, time);
}

function withoutSale({ kind }: IdQuery, { customers, events, click }: FoundOfId, time: Window): string {
	const [customer] = customers;
	if (customer) return `No sale of this customer was reported. ${prospectOf(customer.clickedAt, time)}`;
	if (click) return `Nobody has signed up or bought after this click. ${prospectOf(click.clickedAt, time)}`;
	const [event] = events;
	if (event) return eventText(event, time);
	return UNKNOWN[kind];
}

const UNKNOWN = {
	transaction_id:
		'Nothing with this transaction_id was reported in this program. Check that the backend sends the sale and that upper and lower case match. Refusals are kept for 30 days',
	payment_id:
		'This program has no sale and no payment processor event with this id. Check that the webhook of the processor sends to this program, and see the inbox: GET .../processor-events',
	customer_key:
		'This program has no customer with this key, and refused no call with it in the last 30 days. Check that the backend sends the lead and that upper and lower case match',
	click_id: 'This click is unknown',
} as const satisfies Record<IdQuery['kind'], string>;

/** Whether a sale reported now would earn a commission. */
function prospectOf(clickedAt: number | null, { now, timeZone, windowDays }: Window): string {
	if (clickedAt === null) return 'No partner referred this customer, so their sales are refused with 400';
	const ends = clickedAt + windowDays * DAY_MS;
	return now <= ends
		? `Its window of ${countText(windowDays, 'day')} ends on ${timeText(ends, timeZone)}`
		: `Its window of ${countText(windowDays, 'day')} ended on ${timeText(ends, timeZone)}. Later payments earn nothing, unless they renew a subscription`;
}

function clickStep(click: TimelineClick, { timeZone }: TimeContext): Step {
	return { at: click.clickedAt, kind: 'click', text: clickText(click, timeZone) };
}

function clickText(
	{ verdict, clickedAt, shortLink, partnerName, isStored, retirement, isBot, couponCode }: TimelineClick,
	timeZone: string,
): string {
	switch (verdict) {
		case 'forged':
			return 'This click id was not created by this service: its signature does not match. It was made up, cut off or changed, or it was signed with a secret that has been removed';
		case 'elsewhere':
			return 'This click is not on a link of this program, so it cannot refer a customer of this program';
		case 'test':
			return 'This click was made in test mode, so it refers nobody outside test mode';
		case 'own': {
			if (couponCode !== null) return `This id belongs to coupon ${couponCode}. A customer bought with it, without a click`;
			const by = partnerName === null ? ', a link that no longer has a partner' : `, a link of ${partnerName}`;
			const crawler = isBot ? '. A crawler made it, so it is not counted' : '';
			const stored = isStored
				? ''
				: retirement
					? retiredText(retirement, timeZone)
					: '. The id is genuine, but its page and country are not stored';
			return `Clicked ${shortLink} on ${clickedAt === null ? 'an unknown day' : timeText(clickedAt, timeZone)}${by}${crawler}${stored}`;
		}
	}
}

function retiredText({ isInFiles, at }: NonNullable<TimelineClick['retirement']>, timeZone: string): string {
	return `. The id is genuine. Clicks of that day were ${isInFiles ? 'moved to files' : 'deleted'} on ${timeText(at, timeZone)}`;
}

const STATUS = { click: 'has only clicked so far', lead: 'has signed up', conversion: 'has bought' } as const;

function customerStep(customer: TimelineCustomer, { timeZone }: TimeContext): Step {
	const { status, signupDay, createdAt, clickedAt, shortLink, partnerName, couponCode } = customer;
	const signup = signupDay === null ? '' : `, on ${dayText(signupDay)}`;
	const brought =
		clickedAt === null
			? 'no partner referred them'
			: `referred by ${partnerName ?? 'a partner'} with ${couponCode === null ? `the click on ${shortLink}` : `the coupon ${couponCode}`} on ${timeText(clickedAt, timeZone)}`;
	return { at: createdAt, kind: 'lead', text: `The customer ${STATUS[status]}${signup}; ${brought}` };
}

/** What to do, for refusals whose message does not say so. */
export const ADVICE: Partial<Record<RejectionCode, string>> = {
	lead_customer_not_found: 'The click id is not genuine or belongs to another program, and the call had no customer_key',
	lead_customer_elsewhere: 'The customer or the click belongs to another program',
	lead_status_locked: 'The sign-up was already known, so there was nothing to record',
	customer_key_from_browser: 'The program accepts customer keys only from its backend (server_leads_only)',
	sale_customer_not_found:
		"Nobody with this customer_key had signed up, and the sale had neither a genuine click id nor a partner's coupon. Send the lead with the click id first",
	sale_customer_elsewhere: 'The customer or the click belongs to another program',
	partner_program_gone: 'The membership of the partner who referred the customer had ended, or the link no longer has a partner',
	customer_unattributed: 'No partner referred the customer: the lead had no click',
	paid_before_click: "It was paid before the customer's click",
	subscribed_before_click: "The subscription began before the customer's click",
	transaction_recorded_differently: 'The sale that was recorded first stays. Send a different payment with its own id',
	transaction_recorded_elsewhere: 'Another program has used the id. Add your own prefix to your ids',
	event_differs: 'Another event had already used this webhook-id, so this one was not recorded',
	sale_not_found: 'No sale with this transaction_id had been recorded in this program when the refund arrived',
	invalid_input: 'The request was invalid, so nothing was recorded',
	body_too_large: 'The request was too large, so nothing was recorded',
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
	// The inbox prefixes reasons for waiting with "waits: ".
	const because = reason === null ? '' : `: ${reason.replace(/^waits: |\.$/g, '')}`;
	const again = nextAttemptAt === null ? '' : `. The next attempt is on ${timeText(nextAttemptAt, timeZone)}`;
	switch (state) {
		case 'received':
			return `${event} has arrived but has not been processed yet${because}${again}`;
		case 'waiting':
			return `${event} is waiting${because}${again}, or earlier if a related event arrives. It expires on ${timeText(expiresAt, timeZone)}`;
		case 'applied':
			return `${event} was applied${because}`;
		case 'ignored':
			return `${event} is not about a sale${because}`;
		case 'refused':
			return `${event} was refused${because}`;
		case 'expired':
			return `${event} has expired${because}`;
		case 'failed':
			return `${event} failed${because}`;
	}
}
