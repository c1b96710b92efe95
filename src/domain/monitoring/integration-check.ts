import { DAY_MS } from '../calendar.ts';
import { cronAdvice } from './clock.ts';
import {
	type ConnectedProcessor,
	type EventTrouble,
	appliedCheck,
	PATIENCE_MS,
	processorChecks,
	receivedCheck,
	signatureChecks,
} from './processor-checks.ts';
import type { MissingEvent, ReportedTwice } from './processor-health.ts';
import type { CountedFailures } from './signature-failure.ts';
import { utcText } from '../time-text.ts';

/** Something that an integration needs, and what to do if it is missing. */
export interface IntegrationCheck {
	readonly name: string;
	readonly ok: boolean;
	/** What to do; null if nothing is missing. */
	readonly nextAction: string | null;
}

/** What is known about a program's integration. Instants are ms; null means never. */
export interface IntegrationFacts {
	readonly programId: number;
	readonly isArchived: boolean;
	readonly hasPartnerLink: boolean;
	readonly hasRule: boolean;
	readonly hasOrigin: boolean;
	/** Recently refused origins that would still be refused, sorted. */
	readonly refusedOrigins: readonly string[];
	readonly lastClickAt: number | null;
	/** Whether any click arrived, including tests and crawlers. */
	readonly hasAnyClick: boolean;
	readonly lastLeadAt: number | null;
	readonly lastSaleAt: number | null;
	readonly refusal: { readonly refusedAt: number; readonly transactionId: string | null; readonly reason: string } | null;
	readonly uncredited: { readonly leads: number; readonly since: number; readonly lastAt: number } | null;
	/** Fields in the last day's calls that look misspelt, most frequent first. */
	readonly misspelt: readonly { readonly operation: string; readonly field: string; readonly meant: string; readonly calls: number }[];
	readonly deadLetters: number;
	/** When the oldest pending effect of a sale, refund or payout was recorded. */
	readonly waitingSince: number | null;
	readonly lastTickAt: number | null;
	readonly isStripeConnected: boolean;
	/** The events to select at Stripe. */
	readonly stripeEvents: readonly string[];
	readonly lastStripeEventAt: number | null;
	/** Stripe's failures since its last accepted event. */
	readonly stripeFailures: readonly CountedFailures[];
	/** When Stripe's oldest unprocessed or failing event became due. */
	readonly stripeDueSince: number | null;
	/** Stripe's last failed or refused event, unless it is old or another program's. */
	readonly stripeTrouble: EventTrouble | null;
	/** Stripe's last refund or dispute whose payment never arrived. */
	readonly lostReversal: EventTrouble | null;
	/** Events that Stripe is apparently not set up to send. */
	readonly missingEvents: readonly MissingEvent[];
	readonly reportedTwice: ReportedTwice | null;
	/** Connected processors except Stripe. */
	readonly others: readonly ConnectedProcessor[];
}

/** The checks of an archived program, whose refunds and payouts continue (decision 59). */
const CHECKS_OF_ARCHIVED = /^(?:dead_letters|effects_delivered|cron_running|stripe_reversals_linked|\w+_events_applied)$/;

/** In the order of setup. An archived program needs no traffic. */
export function checksOf(facts: IntegrationFacts, now: number): IntegrationCheck[] {
	const checks = allChecksOf(facts, now);
	return facts.isArchived ? checks.filter(({ name }) => CHECKS_OF_ARCHIVED.test(name)) : checks;
}

function allChecksOf(facts: IntegrationFacts, now: number): IntegrationCheck[] {
	const program = `/api/v1/programs/${facts.programId}`;
	return [
		check(
			'partner_link',
			facts.hasPartnerLink,
			`No active partner has a referral link. Add a partner, who gets a link at once: POST ${program}/partners`,
		),
		check('commission_rule', facts.hasRule, `Sales earn no commission yet. Add a rule: POST ${program}/commission-rules`),
		check(
			'allowed_origins',
			facts.hasOrigin,
			`No web page may report clicks or leads. List the origin of your site: PATCH ${program} {"allowed_origins": ["https://shop.example"]}`,
		),
		refusedOriginsCheck(facts, program),
		check(
			'click_received',
			facts.lastClickAt !== null,
			facts.hasAnyClick
				? "Only clicks of crawlers and headless browsers came, which are not counted. Open a page of your site with ?aff=<short_link> in a browser of your own; a backend that relays clicks sends the visitor's user_agent"
				: 'No click has come yet. Open a page of your site with ?aff=<short_link> and let it call POST /api/v1/track/click',
		),
		check(
			'lead_received',
			facts.lastLeadAt !== null,
			'No lead has come yet. Call POST /api/v1/track/lead when somebody signs up, with your customer_key and the click_id of the cookie',
		),
		check(
			'sale_received',
			facts.lastSaleAt !== null,
			'No sale has come yet. Call POST /api/v1/track/sale from your backend once a payment is through, with the customer_key of the lead',
		),
		lastSaleCheck(facts),
		creditedCheck(facts, now),
		fieldsCheck(facts),
		check(
			'dead_letters',
			facts.deadLetters === 0,
			`${facts.deadLetters} undelivered message(s) wait. An owner sees why with GET /api/v1/dead-letters and sends each again with POST /api/v1/dead-letters/<id>/replay`,
		),
		effectsCheck(facts, now),
		clockCheck(facts, now),
		...stripeChecks(facts, program, now),
		...facts.others.flatMap((processor) => processorChecks(processor, program, now)),
	];
}

/** A program without Stripe gets only a hint that it can be connected. */
function stripeChecks(facts: IntegrationFacts, program: string, now: number): IntegrationCheck[] {
	const events = facts.stripeEvents.join(', ');
	const connected = check(
		'stripe_connected',
		facts.isStripeConnected,
		`Optional. To have sales and refunds read from Stripe, add a webhook endpoint there with the address that GET ${program}/stripe tells and the events ${events}; then PUT ${program}/stripe {"webhook_secret": "whsec_..."}`,
	);
	if (!facts.isStripeConnected) return [connected];
	const stripe = {
		name: 'stripe',
		title: 'Stripe',
		hasEvent: facts.lastStripeEventAt !== null,
		failures: facts.stripeFailures,
		dueSince: facts.stripeDueSince,
		trouble: facts.stripeTrouble,
	};
	const received = receivedCheck(
		stripe,
		`No event has come from Stripe yet. See that its webhook endpoint has the address that GET ${program}/stripe tells, is active, and has the events ${events}`,
	);
	return [
		connected,
		received,
		...signatureChecks(stripe),
		selectedCheck(facts),
		appliedCheck(stripe, program, now),
		reversalsCheck(facts, program),
		reportedOnceCheck(facts),
	];
}

function selectedCheck({ missingEvents }: IntegrationFacts): IntegrationCheck {
	const told = missingEvents.map(({ type, because, isTest }) => `${type}${isTest ? ', of the one for test mode,' : ''} as ${because}`);
	return check(
		'stripe_events_selected',
		missingEvents.length === 0,
		`Stripe does not send all that is needed. Add to the events of its webhook endpoint: ${told.join('; ')}. This is settled by the next such event that comes`,
	);
}

function reversalsCheck({ lostReversal: lost }: IntegrationFacts, program: string): IntegrationCheck {
	if (!lost) return satisfied('stripe_reversals_linked');
	return check(
		'stripe_reversals_linked',
		false,
		`The ${lost.type} ${lost.eventId} of Stripe gave up on ${utcText(lost.settledAt)}: ${lost.reason.replace(/\.$/, '')}, so no commission is taken back. If that was paid before Stripe was connected, there is nothing to do. Else select invoice_payment.paid, payment_intent.succeeded and charge.succeeded at Stripe, replay the payment's own event if it was refused, and then this one: POST ${program}/processor-events/${lost.id}/replay; or report the refund: POST /api/v1/track/refund. All such events: GET ${program}/processor-events?state=expired`,
	);
}

function reportedOnceCheck({ reportedTwice }: IntegrationFacts): IntegrationCheck {
	if (!reportedTwice) return satisfied('sales_reported_once');
	const [told, reported] = reportedTwice.transactionIds;
	return check(
		'sales_reported_once',
		false,
		`Possible double reporting: ${reportedTwice.pairs} payment(s) of the last 7 days came from Stripe and from your backend under different ids, the newest as ${told} and ${reported}, by the same customer, of the same amount, within an hour. If each pair is one payment, take the second sale back by POST /api/v1/track/refund {"transaction_id": "${reported}"}, and leave such sales to Stripe or report them by one of its ids (payment intent, invoice, charge or checkout session) as transaction_id`,
	);
}

/** A refused origin may belong to anybody, so the advice offers no list that is ready to copy. */
function refusedOriginsCheck({ refusedOrigins }: IntegrationFacts, program: string): IntegrationCheck {
	const named = refusedOrigins.filter((origin) => origin !== 'null');
	if (refusedOrigins.length > 0 && named.length === 0) {
		return check(
			'origins_accepted',
			false,
			'Clicks or leads of pages without an origin were refused in the last 24 hours. A page opened from a file, or in a sandboxed frame, has none: serve it over HTTP',
		);
	}
	return check(
		'origins_accepted',
		named.length === 0,
		`Clicks or leads of pages were refused in the last 24 hours, as the program does not list their origins: ${named.join(', ')}. Those that are yours belong beside the ones that are listed: PATCH ${program} {"allowed_origins": [...]} replaces the whole list`,
	);
}

/** How long a failed or refused event of Stripe is shown. */
export const STRIPE_TROUBLE_MS = 7 * DAY_MS;

/** A sale after the last refusal clears the warning. */
function lastSaleCheck({ refusal, lastSaleAt }: IntegrationFacts): IntegrationCheck {
	if (!refusal || (lastSaleAt !== null && lastSaleAt > refusal.refusedAt)) return satisfied('last_sale_accepted');
	const which = refusal.transactionId === null ? '' : ` with transaction_id ${refusal.transactionId}`;
	return check(
		'last_sale_accepted',
		false,
		`The last sale${which} was refused on ${utcText(refusal.refusedAt)}: ${refusal.reason.replace(/\.$/, '')}. Correct what the message names and send the sale again, unless it says that it is recorded`,
	);
}

/** How long the status keeps warning about a lead that arrived after its click had expired. */
export const UNCREDITED_MS = DAY_MS;

function creditedCheck({ uncredited }: IntegrationFacts, now: number): IntegrationCheck {
	if (!uncredited || now - uncredited.lastAt > UNCREDITED_MS) return satisfied('page_leads_credited');
	return check(
		'page_leads_credited',
		false,
		`${uncredited.leads} lead(s) of your pages since ${utcText(uncredited.since)}, the last on ${utcText(uncredited.lastAt)}, came after your backend had recorded the same customer_key without a click: they were refused, and no partner is credited. Send click_id, the cookie tracker_click_id, from the backend with its lead`,
	);
}

function fieldsCheck({ misspelt }: IntegrationFacts): IntegrationCheck {
	const named = misspelt.map(({ operation, field, meant, calls }) => `${field} in ${calls} ${operation} call(s): did you mean ${meant}?`);
	return check(
		'fields_known',
		misspelt.length === 0,
		`Your backend sends fields that look misspelt, and that are ignored: ${named.join(' ')} Correct the names; this is settled a day after the last such call`,
	);
}

function effectsCheck({ waitingSince }: IntegrationFacts, now: number): IntegrationCheck {
	const isLate = waitingSince !== null && now - waitingSince > PATIENCE_MS;
	return check(
		'effects_delivered',
		!isLate,
		`Notifications and totals wait since ${utcText(waitingSince ?? now)}. They are sent again every minute: see that the queue affiliate-effects has its consumer, and the logs of the Worker`,
	);
}

function clockCheck({ lastTickAt }: IntegrationFacts, now: number): IntegrationCheck {
	return check('cron_running', lastTickAt !== null && now - lastTickAt <= PATIENCE_MS, cronAdvice(lastTickAt));
}

function check(name: string, ok: boolean, nextAction: string): IntegrationCheck {
	return ok ? satisfied(name) : { name, ok, nextAction };
}

function satisfied(name: string): IntegrationCheck {
	return { name, ok: true, nextAction: null };
}
