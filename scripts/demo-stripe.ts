import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { call, dataOf } from './demo/api.ts';
import { clickOf } from './demo/click.ts';
import { choiceOfArguments } from './demo/options.ts';
import { DEMO_PROCESSORS, type DemoProcessor, type Happening, type SentEvent } from './demo/processors.ts';
import { type DemoWorld, signIn } from './demo/world.ts';
import { Failure, runScript } from '../testing/failure.ts';
import { faint, good, say, strong } from './demo/terminal.ts';
import { balanceOf, dollars } from './demo/walk.ts';

// npm run demo:stripe [-- --processor paddle|custom]: connects the demo program with a new signing secret, sends all events of one
// subscription as the processor would, and shows the outcome of each.

const DAY_MS = 86_400_000;
const PATIENCE_MS = 15_000;
const WAIT_MS = 100;

const SETTLED = ['applied', 'ignored', 'refused', 'expired', 'failed'];

interface Webhook {
	readonly world: DemoWorld;
	readonly processor: DemoProcessor;
	readonly session: string;
	readonly secret: string;
}

const InboxEvents = z.array(z.object({ event_id: z.string(), state: z.string(), reason: z.string().nullable() }));

await runScript(demo);

async function demo(): Promise<number> {
	const { world, chosen } = choiceOfArguments('demo:stripe', 'processor', ['stripe', 'paddle', 'custom']);
	const processor = DEMO_PROCESSORS[chosen];
	const webhook: Webhook = { world, processor, session: await signIn(world), secret: processor.signingSecret() };
	await dataOf(world.url, `/api/v1/programs/${world.programId}/processors/${processor.name}`, {
		method: 'PUT',
		token: webhook.session,
		body: { webhook_secret: webhook.secret },
	});
	say(strong(`Sending ${processor.title}'s events to ${addressOf(webhook)}`));
	say('A subscription of 119.00 USD a month, 19.00 of it tax; the partner earns 20 % of the amount without tax.');

	// The customer clicked 41 days ago, bought a day later, and paid again after a month.
	const keys = {
		tracker_customer_key: `customer-${randomBytes(4).toString('hex')}`,
		tracker_click_id: await clickOf(world, 41),
		program_id: String(world.programId),
	};
	for (const happening of processor.happenings(keys, Date.now() - 40 * DAY_MS)) await show(webhook, happening);
	await showForged(webhook);

	say(`\n${strong('Every event had the expected outcome.')} The partner keeps 20.00 USD of the first payment`);
	say('and 15.00 USD of the renewal, of which a quarter was refunded.');
	return 0;
}

/** Delivers the events, waits until the inbox has processed them, and shows the outcome of each. */
async function show(webhook: Webhook, { title, events, moves }: Happening): Promise<void> {
	const { world, session } = webhook;
	say(`\n${strong(title)}`);
	const before = await balanceOf(world, session);
	for (const event of events) {
		const status = await deliver(webhook, event, webhook.secret);
		if (status !== 200) throw new Failure(`The response to ${event.type} was ${status}`);
	}
	for (const event of events) {
		const { state, reason } = await settled(webhook, event.id);
		say(`   ${event.type.padEnd(32)} ${good(state.padEnd(8))} ${faint(reason ?? '')}`);
	}
	const after = await balanceOf(world, session);
	say(`   Partner's balance: ${dollars(before)} -> ${strong(dollars(after))} USD`);
	if (after - before !== moves) throw new Failure(`expected the balance to change by ${dollars(moves)} USD`);
}

async function showForged(webhook: Webhook): Promise<void> {
	const { processor } = webhook;
	const [forged] = processor.happenings({ tracker_customer_key: 'anybody' }, Date.now())[0]?.events ?? [];
	if (!forged) throw new Error('This processor has no events');
	const status = await deliver(webhook, forged, processor.signingSecret());
	if (status !== 400) throw new Failure(`The response to a forged event was ${status}`);
	say(`\n${strong('Someone else sends an event, signed with a different secret')}`);
	say(`   ${forged.type.padEnd(32)} ${strong(`${status}, not stored`)}`);
}

function addressOf({ world, processor }: Webhook): string {
	return `${world.url}/webhooks/${processor.name}/${world.programId}`;
}

async function deliver(webhook: Webhook, event: SentEvent, secret: string): Promise<number> {
	const { processor } = webhook;
	const { body, headers } = processor.signed(event, secret, Date.now());
	const response = await fetch(addressOf(webhook), {
		method: 'POST',
		headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
		body,
	});
	await response.arrayBuffer();
	return response.status;
}

async function settled({ world, session }: Webhook, eventId: string) {
	const path = `/api/v1/programs/${world.programId}/processor-events?event_id=${eventId}`;
	const end = Date.now() + PATIENCE_MS;
	for (;;) {
		const answer = await call(world.url, path, { token: session });
		const [event] = InboxEvents.parse(answer.body['data']);
		if (event && SETTLED.includes(event.state)) return event;
		if (Date.now() > end) throw new Failure(`${eventId} is still ${event?.state ?? 'unknown'}: ${event?.reason ?? ''}`);
		await setTimeout(WAIT_MS);
	}
}
