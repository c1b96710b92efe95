import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { app } from '../../src/http/app.ts';
import { ProcessorEventsJob } from '../../src/job.ts';
import { atInstant } from './at-instant.ts';
import { expectConformance } from './conformance.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { deliver, tick } from './deliver.ts';
import { bearer, trackWith } from './bindings.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { Story, StoryOptions } from '../../testing/stripe/story-types.ts';
import { aFunnel, aLead, type Funnel, type Tracked } from './funnel.ts';
import { signed, signingSecret } from '../../testing/stripe/sign.ts';
import { type Answer, api, unique } from './world.ts';

// A program with Stripe. Queue messages wait until the test delivers them.

export interface StripeFunnel extends Funnel {
	readonly secret: string;
	/** The program's path in the management API. */
	readonly path: string;
}

export async function aStripeFunnel(overrides: Record<string, unknown> = {}, setup: Record<string, unknown> = {}): Promise<StripeFunnel> {
	const funnel = await aFunnel(overrides);
	const secret = signingSecret();
	const { status, text } = await api(`/api/v1/programs/${funnel.id}/stripe`, {
		method: 'PUT',
		token: funnel.owner.token,
		body: { webhook_secret: secret, ...setup },
	});
	if (status !== 200) throw new Error(`Connecting Stripe answered ${status}: ${text}`);
	return { ...funnel, secret, path: `/api/v1/programs/${funnel.id}` };
}

export async function aStory(funnel: StripeFunnel, options: StoryOptions = {}): Promise<Story> {
	return stripeStory({ metadata: { tracker_customer_key: await aLead(funnel) }, ...options });
}

/** Its checkout has the metadata too. */
export async function aSubscription(funnel: StripeFunnel, options: StoryOptions = {}): Promise<Story> {
	return aStory(funnel, { mode: 'subscription', ...options });
}

export interface Received {
	readonly status: number;
	readonly body: unknown;
	readonly messages: readonly unknown[];
}

export interface Sending {
	readonly secret?: string;
	/** In ms. */
	readonly signedAt?: number;
	/** Changes the body after signing. */
	readonly alter?: (body: string) => BodyInit;
	readonly headers?: Record<string, string>;
	readonly bindings?: Partial<Env>;
}

/** Signed as by Stripe. Does not process the event. */
export async function receive(to: StripeFunnel, event: unknown, sending: Sending = {}): Promise<Received> {
	const { body, header } = signed(event, sending.secret ?? to.secret, sending.signedAt ?? Date.now());
	return post(`/webhooks/stripe/${to.id}`, sending.alter ? sending.alter(body) : body, {
		bindings: sending.bindings,
		headers: { 'Stripe-Signature': header, ...sending.headers },
	});
}

/** Calls the webhook's URL with any body and headers. */
export async function post(
	path: string,
	body: BodyInit,
	{ headers = {}, bindings = {} }: { headers?: Record<string, string>; bindings?: Partial<Env> | undefined } = {},
): Promise<Received> {
	const EFFECTS = holdingQueue();
	const request = new Request(`http://service.test${path}`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
		body,
	});
	const execution = createExecutionContext();
	const response = await app.fetch(request, { ...env, EFFECTS, ...bindings }, execution);
	await waitOnExecutionContext(execution);
	const text = await response.text();
	expectConformance({ method: 'POST', path, status: response.status, headers: response.headers, text });
	return { status: response.status, body: JSON.parse(text), messages: EFFECTS.held };
}

/** Includes messages that others cause. */
export async function work(messages: readonly unknown[], bindings: Partial<Env> = {}): Promise<void> {
	const EFFECTS = holdingQueue();
	const { retried } = await deliver(
		'affiliate-effects',
		messages.map((body) => ({ body })),
		{ EFFECTS, ...bindings },
	);
	if (retried.length > 0) throw new Error('A message was not settled');
	if (EFFECTS.held.length > 0) await work(EFFECTS.held, bindings);
}

/** Processes the tick's messages. */
export async function tickAt(now: number, bindings: Partial<Env> = {}): Promise<void> {
	const EFFECTS = holdingQueue();
	await atInstant(now, async () => {
		await tick({ EFFECTS, ...bindings });
		await work(
			EFFECTS.held.filter((message) => ProcessorEventsJob.safeParse(message).success),
			bindings,
		);
	});
}

/** Processes each event before the next one arrives. */
export async function send(to: StripeFunnel, ...events: readonly unknown[]): Promise<void> {
	for (const event of events) {
		const { status, body, messages } = await receive(to, event);
		if (status !== 200) throw new Error(`The webhook answered ${status}: ${JSON.stringify(body)}`);
		await work(messages);
	}
}

/** Processes the sale's messages, so that events waiting for it resume without a tick. */
export async function backendSells(to: StripeFunnel, sale: Record<string, unknown>): Promise<Tracked> {
	const EFFECTS = holdingQueue();
	const body = { transaction_id: unique('order'), amount_cents: 10_000, ...sale };
	const answer = await trackWith({ EFFECTS }, 'sale', body, bearer(to.apiToken));
	await work(EFFECTS.held.filter((message) => ProcessorEventsJob.safeParse(message).success));
	return answer;
}

/** The event with other fields in its object. */
export function eventWith<Event extends { readonly data: { readonly object: object } }>(event: Event, fields: object): Event {
	return { ...event, data: { ...event.data, object: { ...event.data.object, ...fields } } };
}

export interface WireInboxEvent {
	readonly id: number;
	readonly event_id: string;
	readonly type: string;
	readonly test: boolean;
	readonly state: string;
	readonly reason: string | null;
	readonly sale_id: number | null;
	readonly attempts: number;
	readonly next_attempt_at: string | null;
	readonly expires_at: string;
	readonly settled_at: string | null;
	readonly replayable: boolean;
}

/** Newest first. */
export async function inboxOf(of: StripeFunnel, query = ''): Promise<WireInboxEvent[]> {
	const { status, text, body }: Answer<WireInboxEvent[]> = await api(`${of.path}/processor-events${query}`, { token: of.owner.token });
	if (status !== 200) throw new Error(`The inbox answered ${status}: ${text}`);
	return body.data;
}

/** `applied: Sale 1 recorded, ...`. */
export async function outcomeOf(of: StripeFunnel, event: { readonly id: string }): Promise<string> {
	const [found] = await inboxOf(of, `?event_id=${event.id}`);
	return found ? `${found.state}: ${found.reason}` : 'not received';
}
