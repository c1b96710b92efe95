import { signed, signingSecret } from '../testing/stripe/sign.ts';
import { stripeStory } from '../testing/stripe/story.ts';
import { applyLoad, httpRequest, type Request } from './load.ts';
import type { Sending, Service } from './service.ts';
import { clickIdsOf, makeColdLinks, type World } from './world.ts';

// The operations to measure, each a row of the table.

export interface Row {
	readonly name: string;
	/** The number of requests per round. A third of them use a single connection. */
	readonly requests: number;
	readonly queue?: Sending;
	/** Prepares whatever that many requests need. */
	readonly prepare: (requests: number) => Promise<unknown>;
	readonly next: () => Request;
}

const PREPARE_CONNECTIONS = 16;
const CLICKS = { name: 'affiliate-clicks', messages: 1 } as const;
const EFFECTS = { name: 'affiliate-effects', messages: 1 } as const;
/** One message for the event itself, one for the effects of its sale. */
const PAYMENTS = { name: 'affiliate-effects', messages: 2 } as const;
const EVENTS = { name: 'affiliate-effects', messages: 1 } as const;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

async function nothing(): Promise<void> {}

export const NOOP: Row = { name: 'no-op', requests: 9_000, prepare: nothing, next: () => noop };
const noop = httpRequest('GET', '/', {});

/** All rows except the no-op. Each row uses what the previous one created: a lead's customer buys, the sale is refunded. */
export async function makeRows(
	service: Service,
	world: World,
	/** Creates click ids for leads and payments. By default their clicks are not stored. */
	mintClick: () => Promise<string> = clickIdsOf(world),
): Promise<readonly Row[]> {
	const funnel = makeFunnel(service, world, mintClick);
	const warm = clickRequest(world, world.shortLink);
	const coldLinks = await makeColdLinks(service, world);
	let nextCold = 0;
	const cold = () => {
		nextCold = (nextCold + 1) % coldLinks.length;
		return clickRequest(world, coldLinks[nextCold] ?? '');
	};
	const report = httpRequest('GET', `/api/tracking/performance/${world.programId}?period=90d`, bearer(world.sessionToken));
	const warmUp = () => service.call('/api/v1/track/click', { body: clickBody(world.shortLink) });
	return [
		{ name: 'click-warm', requests: 4_500, queue: CLICKS, prepare: warmUp, next: () => warm },
		{ name: 'click-cold', requests: 2_000, queue: CLICKS, prepare: nothing, next: cold },
		{ name: 'lead', requests: 1_200, prepare: funnel.mintClicks, next: funnel.lead },
		{ name: 'sale', requests: 1_200, queue: EFFECTS, prepare: funnel.makeLeads, next: funnel.sale },
		{ name: 'refund', requests: 1_200, queue: EFFECTS, prepare: funnel.makeSales, next: funnel.refund },
		...(await makeWebhooks(service, world, mintClick)),
		// The report needs the crons to apply what earlier rows left waiting, because here they run only on request.
		{ name: 'report', requests: 1_500, prepare: () => service.tick(), next: () => report },
	];
}

/** What a page reports about a visit. */
export const CLICK_BODY = clickBody('pat');

function clickBody(shortLink: string) {
	return {
		affiliate_url: `https://shop.example/pricing?aff=${shortLink}`,
		page_url: `https://shop.example/pricing?aff=${shortLink}`,
		page_title: 'Pricing',
		referrer_url: 'https://blog.example/best-shops',
		language: 'en-GB',
		timezone: 'Europe/London',
	};
}

function clickRequest({ origin }: World, shortLink: string): Request {
	return httpRequest('POST', '/api/v1/track/click', visitorOf(origin), JSON.stringify(clickBody(shortLink)));
}

function visitorOf(origin: string) {
	return { 'User-Agent': BROWSER, Origin: origin, 'CF-Connecting-IP': '203.0.113.7', 'CF-IPCountry': 'GB' };
}

/** Creates stored clicks, so that country and source are known. The queues must be held. */
export function storedClicksOf(service: Service, { origin, shortLink }: World): () => Promise<string> {
	return async () => {
		const made = (await service.call('/api/v1/track/click', { headers: visitorOf(origin), body: clickBody(shortLink) })) as {
			readonly click_id: string;
		};
		await service.deliver();
		return made.click_id;
	};
}

function bearer(token: string) {
	return { Authorization: `Bearer ${token}` };
}

/** Leads from a backend with one click each, those customers' first sales, and their full refunds. */
function makeFunnel(service: Service, world: World, mint: () => Promise<string>) {
	const clickIds: string[] = [];
	const customerKeys: string[] = [];
	const transactionIds: string[] = [];
	let count = 0;
	const post = (what: string, body: object) => httpRequest('POST', `/api/v1/track/${what}`, bearer(world.programKey), JSON.stringify(body));
	const lead = () => {
		count += 1;
		const customer_key = `customer-${count}`;
		customerKeys.push(customer_key);
		return post('lead', { click_id: taken(clickIds), customer_key });
	};
	const sale = () => {
		count += 1;
		const transaction_id = `order-${count}`;
		transactionIds.push(transaction_id);
		return post('sale', { transaction_id, amount_cents: 9_900, customer_key: taken(customerKeys) });
	};
	const refund = () => post('refund', { transaction_id: taken(transactionIds), refund_reason: 'Sent back' });

	const mintClicks = async (requests: number) => {
		while (clickIds.length < requests) clickIds.push(await mint());
	};
	const makeLeads = async (requests: number) => {
		const missing = Math.max(0, requests - customerKeys.length);
		await mintClicks(missing);
		if (missing > 0) await applyLoad(service.app, PREPARE_CONNECTIONS, missing, lead);
	};
	const makeSales = async (requests: number) => {
		const missing = Math.max(0, requests - transactionIds.length);
		await makeLeads(missing);
		const before = await service.state();
		if (missing > 0) await applyLoad(service.app, PREPARE_CONNECTIONS, missing, sale);
		await service.drained(before, EFFECTS, missing);
	};
	return { lead, sale, refund, mintClicks, makeLeads, makeSales };
}

/** Stripe's events for a payment: the completed checkout, which records the sale, and then the payment intent. */
async function makeWebhooks(service: Service, world: World, mint: () => Promise<string>): Promise<readonly Row[]> {
	const secret = signingSecret();
	await service.call(`/api/v1/programs/${world.programId}/stripe`, {
		method: 'PUT',
		token: world.sessionToken,
		body: { webhook_secret: secret },
	});
	// Each request is signed separately, because a signature is valid for only a few minutes.
	const delivery = async (event: unknown) => {
		const { body, header } = signed(event, secret, Date.now());
		return httpRequest('POST', `/webhooks/stripe/${world.programId}`, { 'Stripe-Signature': header }, body);
	};
	const checkouts: Request[] = [];
	const intents: Request[] = [];
	const checkout = () => taken(checkouts);
	const makeStories = async (requests: number) => {
		for (const made of [checkouts, intents]) made.length = 0;
		while (checkouts.length < requests) {
			const story = stripeStory({ clientReferenceId: await mint() });
			checkouts.push(await delivery(story.checkout.completed()));
			intents.push(await delivery(story.first.paymentIntentSucceeded()));
		}
	};
	const makePayments = async (requests: number) => {
		await makeStories(requests);
		const before = await service.state();
		await applyLoad(service.app, PREPARE_CONNECTIONS, requests, checkout);
		await service.drained(before, PAYMENTS, requests);
	};
	return [
		{ name: 'webhook', requests: 900, queue: PAYMENTS, prepare: makeStories, next: checkout },
		{ name: 'webhook-ids', requests: 300, queue: EVENTS, prepare: makePayments, next: () => taken(intents) },
	];
}

function taken<Made>(made: Made[]): Made {
	const next = made.shift();
	if (next === undefined) throw new Error('More requests than were prepared');
	return next;
}
