import type { EventType } from '../reporting/event-position.ts';
import { utcText } from '../time-text.ts';

// The steps of setting up an integration: click, lead, sale and refund.

/** `uncredited`: the event arrived, but no partner is credited. `refused`: none was accepted, but one was refused. */
export type StepState = 'done' | 'uncredited' | 'refused' | 'waiting';

export interface ChainFacts {
	readonly isActive: boolean;
	readonly isArchived: boolean;
	readonly address: string | null;
	/** Only origins that would still be refused. `null` is a page without an origin. */
	readonly refusedOrigins: readonly string[];
	/** All clicks came from crawlers and headless browsers. */
	readonly isCrawledOnly: boolean;
	readonly earlier: Readonly<Partial<Record<EventType, number>>>;
	readonly events: Readonly<Partial<Record<EventType, { readonly isCredited: boolean }>>>;
	readonly refusals: Readonly<Partial<Record<EventType, string>>>;
}

export interface StepVerdict {
	readonly state: StepState;
	readonly reason: string | null;
}

export function verdictOn(step: EventType, facts: ChainFacts): StepVerdict {
	const event = facts.events[step];
	if (event) return event.isCredited ? { state: 'done', reason: null } : { state: 'uncredited', reason: UNCREDITED[step] };
	if (facts.isArchived) return waiting('The program is archived, so nothing is recorded. Restore it first');
	if (!facts.isActive) return waiting('The program is not active, so nothing is recorded. Set active to true');
	const refused = facts.refusals[step];
	if (refused !== undefined) {
		return {
			state: 'refused',
			reason: `The last ${step} was refused: ${refused.replace(/\.$/, '')}. Correct that and send it again`,
		};
	}
	const isOfPages = step === 'click' || (step === 'lead' && facts.events.click !== undefined);
	if (isOfPages && facts.refusedOrigins.length > 0) return { state: 'refused', reason: reasonOfOrigins(facts.refusedOrigins) };
	const last = facts.earlier[step];
	const none = last === undefined ? `No ${step} has arrived` : `The last ${step} arrived on ${utcText(last)}, before this test`;
	return waiting(step === 'click' ? clickMissing(facts, none) : `${none}. ${NEXT[step]}`);
}

function waiting(reason: string): StepVerdict {
	return { state: 'waiting', reason };
}

function reasonOfOrigins(refused: readonly string[]): string {
	const named = refused.filter((origin) => origin !== 'null');
	if (named.length === 0)
		return 'A page without an origin was refused. A page that is opened from a file or in a sandboxed frame has no origin. Serve it over HTTP';
	return `Pages of ${named.join(', ')} were refused because the program does not list their origin. If they are yours, add them to its allowed origins`;
}

function clickMissing({ address, isCrawledOnly, earlier }: ChainFacts, none: string): string {
	if (address === null) return 'No active partner has a link to click. Add a partner, who gets a link immediately';
	if (isCrawledOnly) {
		const only = earlier.click === undefined ? 'Only' : 'In this test, only';
		return `${only} clicks from crawlers and headless browsers have arrived, and these are not counted. Open ${address} in your own browser`;
	}
	return `${none}. Open ${address} in a browser. The page must load the script or report the click itself. A click appears after some seconds. Clicks from headless browsers are not counted`;
}

const NEXT = {
	lead: 'Sign up on your site and report it with your customer_key and the click_id from the cookie: POST /api/v1/track/lead',
	sale: 'Buy something as that customer and report the payment from your backend with the customer_key of the lead: POST /api/v1/track/sale',
	refund: 'Refund the payment and report the refund from your backend with the transaction_id of the sale: POST /api/v1/track/refund',
} as const satisfies Record<Exclude<EventType, 'click'>, string>;

const UNCREDITED = {
	click: 'A click arrived, but its link no longer belongs to a partner. Open the link of an active partner',
	lead: 'A lead arrived, but no partner is credited because it had no known click_id. Send the click_id from the cookie tracker_click_id',
	sale: 'A sale arrived, but no partner is credited because its customer did not come through a link. Send the customer_key of a lead that had a click_id',
	refund: 'A refund arrived, but no partner is credited with its sale',
} as const satisfies Record<EventType, string>;
