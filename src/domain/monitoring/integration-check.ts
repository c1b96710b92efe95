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
import { countText, utcText } from '../time-text.ts';

export interface IntegrationCheck {
	readonly name: string;
	readonly ok: boolean;
	readonly nextAction: string | null;
}

/** Instants are ms; null means never. */
export interface IntegrationFacts {
	readonly programId: number;
	readonly isArchived: boolean;
	readonly hasPartnerLink: boolean;
	readonly hasRule: boolean;
	readonly hasOrigin: boolean;
	/** Only origins that would still be refused. */
	readonly refusedOrigins: readonly string[];
	readonly lastClickAt: number | null;
	/** Whether any click arrived, including tests and crawlers. */
	readonly hasAnyClick: boolean;
	readonly lastLeadAt: number | null;
	readonly lastSaleAt: number | null;
	readonly refusal: { readonly refusedAt: number; readonly transactionId: string | null; readonly reason: string } | null;
	readonly uncredited: { readonly leads: number; readonly since: number; readonly lastAt: number } | null;
	/** Most frequent first. */
	readonly misspelt: readonly { readonly operation: string; readonly field: string; readonly meant: string; readonly calls: number }[];
	readonly deadLetters: number;
	/** When the oldest pending effect of a sale, refund or payout was recorded. */
	readonly waitingSince: number | null;
	readonly lastTickAt: number | null;
	readonly isStripeConnected: boolean;
	/** The events to select at Stripe. */
	readonly stripeEvents: readonly string[];
	readonly lastStripeEventAt: number | null;
	readonly stripeFailures: readonly CountedFailures[];
	/** When Stripe's oldest unprocessed or failing event became due. */
	readonly stripeDueSince: number | null;
	/** Null if it is old or concerns another program. */
	readonly stripeTrouble: EventTrouble | null;
	/** Stripe's last refund or dispute whose payment never arrived. */
	readonly lostReversal: EventTrouble | null;
	/** Events that Stripe is apparently not set up to send. */
	readonly missingEvents: readonly MissingEvent[];
	readonly reportedTwice: ReportedTwice | null;
	readonly others: readonly ConnectedProcessor[];
}

/** The checks of an archived program, which still has refunds and payouts (decision 59). */
const CHECKS_OF_ARCHIVED = /^(?:dead_letters|effects_delivered|cron_running|stripe_reversals_linked|\w+_events_applied)$/;

/** The checks in the order of setup. An archived program needs no traffic. */
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
			`No active partner has a referral link. Add a partner, who gets a link immediately: POST ${program}/partners`,
		),
		check('commission_rule', facts.hasRule, `Sales earn no commission yet. Add a rule: POST ${program}/commission-rules`),
		check(
			'allowed_origins',
			facts.hasOrigin,
			`No website may report clicks or leads yet. List the origin of your site: PATCH ${program} {"allowed_origins": ["https://shop.example"]}`,
		),
		refusedOriginsCheck(facts, program),
		check(
			'click_received',
			facts.lastClickAt !== null,
			facts.hasAnyClick
				? "Only clicks from crawlers and headless browsers have arrived, and these are not counted. Open a page of your site with ?aff=<short_link> in your own browser. A backend that relays clicks must send the visitor's user_agent"
				: 'No click has arrived yet. Open a page of your site with ?aff=<short_link>. The page must call POST /api/v1/track/click',
		),
		check(
			'lead_received',
			facts.lastLeadAt !== null,
			'No lead has arrived yet. Call POST /api/v1/track/lead when someone signs up, with your customer_key and the click_id from the cookie',
		),
		check(
			'sale_received',
			facts.lastSaleAt !== null,
			'No sale has arrived yet. Call POST /api/v1/track/sale from your backend when a payment succeeds, with the customer_key of the lead',
		),
		lastSaleCheck(facts),
		creditedCheck(facts, now),
		fieldsCheck(facts),
		check(
			'dead_letters',
			facts.deadLetters === 0,
			`${countText(facts.deadLetters, 'message')} could not be delivered. An owner can see why with GET /api/v1/dead-letters and retry each with POST /api/v1/dead-letters/<id>/replay`,
		),
		effectsCheck(facts, now),
		clockCheck(facts, now),
		...stripeChecks(facts, program, now),
		...facts.others.flatMap((processor) => processorChecks(processor, program, now)),
	];
}

function stripeChecks(facts: IntegrationFacts, program: string, now: number): IntegrationCheck[] {
	const events = facts.stripeEvents.join(', ');
	const connected = check(
		'stripe_connected',
		facts.isStripeConnected,
		`Optional. To read sales and refunds from Stripe, add a webhook endpoint at Stripe with the address from GET ${program}/stripe and the events ${events}. Then PUT ${program}/stripe {"webhook_secret": "whsec_..."}`,
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
		`No event has arrived from Stripe yet. Check that its webhook endpoint is active, has the address from GET ${program}/stripe, and sends the events ${events}`,
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
	const events = missingEvents.map(
		({ type, because, isTest }) => `${type}${isTest ? ' (to the endpoint for test mode)' : ''}, because ${because}`,
	);
	return check(
		'stripe_events_selected',
		missingEvents.length === 0,
		`Stripe does not send all the events that are needed. Add to the events of its webhook endpoint: ${events.join('; ')}. This check passes when the next such event arrives`,
	);
}

function reversalsCheck({ lostReversal: lost }: IntegrationFacts, program: string): IntegrationCheck {
	if (!lost) return satisfied('stripe_reversals_linked');
	return check(
		'stripe_reversals_linked',
		false,
		`The ${lost.type} ${lost.eventId} from Stripe expired on ${utcText(lost.settledAt)}: ${lost.reason.replace(/\.$/, '')}. No commission was reversed. If the payment was made before Stripe was connected, there is nothing to do. Otherwise select invoice_payment.paid, payment_intent.succeeded and charge.succeeded at Stripe. If the event of the payment was refused, replay it first. Then replay this one: POST ${program}/processor-events/${lost.id}/replay. Or report the refund: POST /api/v1/track/refund. All such events: GET ${program}/processor-events?state=expired`,
	);
}

function reportedOnceCheck({ reportedTwice }: IntegrationFacts): IntegrationCheck {
	if (!reportedTwice) return satisfied('sales_reported_once');
	const [fromStripe, fromBackend] = reportedTwice.transactionIds;
	return check(
		'sales_reported_once',
		false,
		`Possible double reporting: in the last 7 days, Stripe and your backend reported ${countText(reportedTwice.pairs, 'pair')} of sales with the same customer and amount within an hour, but with different ids. The newest pair is ${fromStripe} and ${fromBackend}. If each pair is one payment, refund the second sale: POST /api/v1/track/refund {"transaction_id": "${fromBackend}"}. Then leave such sales to Stripe, or report them with one of its ids (payment intent, invoice, charge or checkout session) as transaction_id`,
	);
}

/** A refused origin may belong to anybody, so the advice has no list that is ready to copy. */
function refusedOriginsCheck({ refusedOrigins }: IntegrationFacts, program: string): IntegrationCheck {
	const named = refusedOrigins.filter((origin) => origin !== 'null');
	if (refusedOrigins.length > 0 && named.length === 0) {
		return check(
			'origins_accepted',
			false,
			'Clicks or leads from pages without an origin were refused in the last 24 hours. A page that is opened from a file or in a sandboxed frame has no origin. Serve it over HTTP',
		);
	}
	return check(
		'origins_accepted',
		named.length === 0,
		`Clicks or leads from pages were refused in the last 24 hours because the program does not list their origins: ${named.join(', ')}. If they are yours, add them to the list: PATCH ${program} {"allowed_origins": [...]} replaces the whole list`,
	);
}

export const STRIPE_TROUBLE_MS = 7 * DAY_MS;

function lastSaleCheck({ refusal, lastSaleAt }: IntegrationFacts): IntegrationCheck {
	if (!refusal || (lastSaleAt !== null && lastSaleAt > refusal.refusedAt)) return satisfied('last_sale_accepted');
	const which = refusal.transactionId === null ? '' : ` with transaction_id ${refusal.transactionId}`;
	return check(
		'last_sale_accepted',
		false,
		`The last sale${which} was refused on ${utcText(refusal.refusedAt)}: ${refusal.reason.replace(/\.$/, '')}. Correct that and send the sale again, unless the message says that it is already recorded`,
	);
}

export const UNCREDITED_MS = DAY_MS;

function creditedCheck({ uncredited }: IntegrationFacts, now: number): IntegrationCheck {
	if (!uncredited || now - uncredited.lastAt > UNCREDITED_MS) return satisfied('page_leads_credited');
	return check(
		'page_leads_credited',
		false,
		`Your pages sent ${countText(uncredited.leads, 'lead')} after your backend had recorded the same customer_key without a click, the first on ${utcText(uncredited.since)}, the last on ${utcText(uncredited.lastAt)}. They were refused and credit no partner. Send the click_id (the cookie tracker_click_id) with the lead from your backend`,
	);
}

function fieldsCheck({ misspelt }: IntegrationFacts): IntegrationCheck {
	const named = misspelt.map(
		({ operation, field, meant, calls }) => `${field} in ${countText(calls, `${operation} call`)}: did you mean ${meant}?`,
	);
	return check(
		'fields_known',
		misspelt.length === 0,
		`Your backend sends fields that look misspelt and are ignored: ${named.join(' ')} Correct the names. This check passes a day after the last such call`,
	);
}

function effectsCheck({ waitingSince }: IntegrationFacts, now: number): IntegrationCheck {
	const isLate = waitingSince !== null && now - waitingSince > PATIENCE_MS;
	return check(
		'effects_delivered',
		!isLate,
		`Notifications and totals have been waiting since ${utcText(waitingSince ?? now)}. They are retried every minute. Check that the queue affiliate-effects has its consumer, and check the logs of the Worker`,
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
