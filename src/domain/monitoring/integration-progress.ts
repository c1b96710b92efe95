import type { EventType } from '../reporting/event-position.ts';
import { utcText } from '../time-text.ts';

// The steps of setting up an integration: click, lead, sale and refund.

/** `uncredited`: the event arrived, but no partner is credited. `refused`: none was accepted, but one was refused. */
export type StepState = 'done' | 'uncredited' | 'refused' | 'waiting';

/** The state of the program, and what arrived since the user started the check. */
export interface ChainFacts {
	readonly isActive: boolean;
	readonly isArchived: boolean;
	/** The address of an active partner's link; null if there is none. */
	readonly address: string | null;
	/** Refused origins that would still be refused, sorted. The text `null` is a page without an origin. */
	readonly refusedOrigins: readonly string[];
	/** All clicks were of crawlers and headless browsers. */
	readonly isCrawledOnly: boolean;
	/** When the newest event of each type before the start happened, in ms. */
	readonly earlier: Readonly<Partial<Record<EventType, number>>>;
	/** The newest event of each type, and whether it leads to a partner. */
	readonly events: Readonly<Partial<Record<EventType, { readonly isCredited: boolean }>>>;
	/** The message of the newest refusal of each type. */
	readonly refusals: Readonly<Partial<Record<EventType, string>>>;
}

export interface StepVerdict {
	readonly state: StepState;
	/** What is missing and what to do; null if the step is done. */
	readonly reason: string | null;
}

export function verdictOn(step: EventType, facts: ChainFacts): StepVerdict {
	const event = facts.events[step];
	if (event) return event.isCredited ? { state: 'done', reason: null } : { state: 'uncredited', reason: UNCREDITED[step] };
	if (facts.isArchived) return waiting('The program is archived, so nothing is recorded: restore it first');
	if (!facts.isActive) return waiting('The program is not active, so nothing is recorded: set active to true');
	const refused = facts.refusals[step];
	if (refused !== undefined) {
		return {
			state: 'refused',
			reason: `The last ${step} was refused: ${refused.replace(/\.$/, '')}. Correct what it names, and send it again`,
		};
	}
	const isOfPages = step === 'click' || (step === 'lead' && facts.events.click !== undefined);
	if (isOfPages && facts.refusedOrigins.length > 0) return { state: 'refused', reason: reasonOfOrigins(facts.refusedOrigins) };
	const last = facts.earlier[step];
	const none = last === undefined ? `No ${step} has come` : `The last ${step} came on ${utcText(last)}, before this try`;
	return waiting(step === 'click' ? clickMissing(facts, none) : `${none}. ${NEXT[step]}`);
}

function waiting(reason: string): StepVerdict {
	return { state: 'waiting', reason };
}

function reasonOfOrigins(refused: readonly string[]): string {
	const named = refused.filter((origin) => origin !== 'null');
	if (named.length === 0)
		return 'A page without an origin was refused. One that is opened from a file, or in a sandboxed frame, has none: serve it over HTTP';
	return `Pages of ${named.join(', ')} were refused, as the program does not list their origin: add those that are yours to its allowed origins`;
}

function clickMissing({ address, isCrawledOnly, earlier }: ChainFacts, none: string): string {
	if (address === null) return 'No active partner has a link to click on. Add a partner, who gets one at once';
	if (isCrawledOnly) {
		const only = earlier.click === undefined ? 'Only' : 'In this try only';
		return `${only} clicks of crawlers and headless browsers came, which are not counted. Open ${address} in a browser of your own`;
	}
	return `${none}. Open ${address} in a browser: the page has to load the script, or report the click itself. A click shows after some seconds; one of a headless browser is not counted`;
}

const NEXT = {
	lead: 'Sign up at your site, and report it with your customer_key and the click_id of the cookie: POST /api/v1/track/lead',
	sale: 'Buy something as that customer, and report the payment from your backend, with the customer_key of the lead: POST /api/v1/track/sale',
	refund: 'Give the payment back, and report it from your backend, with the transaction_id of the sale: POST /api/v1/track/refund',
} as const satisfies Record<Exclude<EventType, 'click'>, string>;

const UNCREDITED = {
	click: "A click came, but its link is no partner's any more. Open a link of an active partner",
	lead: 'A lead came, but no partner is credited: it had no click_id that is known. Send the one of the cookie, tracker_click_id',
	sale: 'A sale came, but no partner is credited: its customer did not come by a link. Send the customer_key of a lead that had a click_id',
	refund: 'A refund came, but of a sale that no partner is credited with',
} as const satisfies Record<EventType, string>;
