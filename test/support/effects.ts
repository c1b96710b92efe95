import { bearer, trackWith } from './bindings.ts';
import { deliver, holdingQueue } from './deliver.ts';
import { aLead, type Funnel } from './funnel.ts';
import { unique } from './world.ts';

// Tracking calls whose effects stay in the test's hands, to be delivered when and as often as it likes.

export interface Held {
	readonly transactionId: string;
	readonly body: Record<string, unknown>;
	/** The messages to the effects queue. */
	readonly messages: readonly unknown[];
}

export async function aHeldSale(funnel: Funnel, overrides: Record<string, unknown> = {}): Promise<Held> {
	const sale = { transaction_id: unique('txn'), amount_cents: 10_000, customer_key: await aLead(funnel), ...overrides };
	return hold(funnel, 'sale', sale);
}

export function aHeldRefund(funnel: Funnel, transactionId: string, overrides: Record<string, unknown> = {}): Promise<Held> {
	return hold(funnel, 'refund', { transaction_id: transactionId, ...overrides });
}

/** Delivers the messages of each, one batch per call. */
export async function applyHeld(...calls: readonly Held[]): Promise<void> {
	const { retried } = await deliver(
		'affiliate-effects',
		calls.flatMap(({ messages }) => messages.map((body) => ({ body }))),
	);
	if (retried.length > 0) throw new Error('An effect was not applied');
}

async function hold(funnel: Funnel, route: string, request: { transaction_id: string }): Promise<Held> {
	const EFFECTS = holdingQueue();
	const { status, body } = await trackWith({ EFFECTS }, route, request, bearer(funnel.apiToken));
	if (status !== 200) throw new Error(`The ${route} answered ${status}: ${JSON.stringify(body)}`);
	return { transactionId: request.transaction_id, body, messages: EFFECTS.held };
}
