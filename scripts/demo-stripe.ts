import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { signed, signingSecret } from '../testing/stripe/sign.ts';
import { stripeStory } from '../testing/stripe/story.ts';
import type { StripeEvent } from '../testing/stripe/wire.ts';
import { call, dataOf } from './demo/api.ts';
import { clickOf } from './demo/click.ts';
import { worldOfArguments } from './demo/options.ts';
import { type DemoWorld, signIn } from './demo/world.ts';
import { Failure, runScript } from '../testing/failure.ts';
import { faint, good, say, strong } from './demo/terminal.ts';
import { balanceOf, dollars } from './demo/walk.ts';

// npm run demo:stripe: what Stripe would send for one subscription, signed with a secret of its own and complete to the last
// field, and what becomes of each event. It connects the demo program to that secret.

const DAY_MS = 86_400_000;
const PATIENCE_MS = 15_000;
const WAIT_MS = 100;

const SETTLED = ['applied', 'ignored', 'refused', 'expired', 'failed'];

interface Webhook {
	readonly world: DemoWorld;
	/** The owner's session token. */
	readonly session: string;
	readonly secret: string;
}

/** Something that happens at Stripe, the events that tell of it, and what the partner's balance moves by, cents. */
interface Happening {
	readonly title: string;
	readonly events: readonly StripeEvent[];
	readonly moves: number;
}

const InboxEvents = z.array(z.object({ event_id: z.string(), state: z.string(), reason: z.string().nullable() }));

await runScript(demo);

async function demo(): Promise<number> {
	const world = worldOfArguments('demo:stripe');
	const webhook: Webhook = { world, session: await signIn(world), secret: signingSecret() };
	await dataOf(world.url, `/api/v1/programs/${world.programId}/stripe`, {
		method: 'PUT',
		token: webhook.session,
		body: { webhook_secret: webhook.secret },
	});
	say(strong(`Sending Stripe's events to ${world.url}/webhooks/stripe/${world.programId}`));
	say('A subscription of 119.00 USD a month, 19.00 of it tax; the partner earns 20 % of what is left without tax.');

	for (const happening of await happeningsOf(world)) await show(webhook, happening);
	await showForged(webhook);

	say(`\n${strong('Everything became what it should be.')} The first payment leaves 20.00 USD with the partner,`);
	say('the renewal 15.00 after the refund of a quarter.');
	return 0;
}

/** A customer who clicked 41 days ago, bought a day later, and paid again after a month. */
async function happeningsOf(world: DemoWorld): Promise<Happening[]> {
	const metadata = {
		tracker_customer_key: `customer-${randomBytes(4).toString('hex')}`,
		tracker_click_id: await clickOf(world, 41),
		program_id: String(world.programId),
	};
	const story = stripeStory({ mode: 'subscription', amount: 11_900, tax: 1_900, metadata, at: Date.now() - 40 * DAY_MS });
	const { first } = story;
	const checkout = first.events();
	const renewal = story.renew();
	const refund = renewal.refund(2_975, 'requested_by_customer');
	const dispute = first.dispute();
	return [
		{
			title: 'Somebody checks out, and the first invoice is paid: one sale, however many events tell of it',
			events: checkout,
			moves: 2_000,
		},
		{ title: 'Stripe delivers the same events again', events: checkout, moves: 0 },
		{ title: 'The subscription renews', events: renewal.events(), moves: 2_000 },
		{
			title: 'A quarter of the renewal is refunded, tax included',
			events: [refund.created('pending'), refund.chargeRefunded()],
			moves: -500,
		},
		{ title: 'The first payment is disputed', events: [dispute.created(), dispute.fundsWithdrawn()], moves: -2_000 },
		{ title: 'The dispute is won, the money comes back', events: [dispute.closed('won'), dispute.fundsReinstated()], moves: 2_000 },
	];
}

/** Delivers the events, waits until the inbox has settled them, and shows what became of each. */
async function show(webhook: Webhook, { title, events, moves }: Happening): Promise<void> {
	const { world, session } = webhook;
	say(`\n${strong(title)}`);
	const before = await balanceOf(world, session);
	for (const event of events) {
		const { body, header } = signed(event, webhook.secret, Date.now());
		const status = await deliver(world, body, header);
		if (status !== 200) throw new Failure(`${event.type} was answered with ${status}`);
	}
	for (const event of events) {
		const { state, reason } = await settled(webhook, event.id);
		say(`   ${event.type.padEnd(32)} ${good(state.padEnd(8))} ${faint(reason ?? '')}`);
	}
	const after = await balanceOf(world, session);
	say(`   Balance of the partner: ${dollars(before)} -> ${strong(dollars(after))} USD`);
	if (after - before !== moves) throw new Failure(`expected the balance to move by ${dollars(moves)} USD`);
}

async function showForged({ world }: Webhook): Promise<void> {
	const forged = stripeStory({ metadata: { tracker_customer_key: 'anybody' } }).checkout.completed();
	const { body, header } = signed(forged, signingSecret(), Date.now());
	const status = await deliver(world, body, header);
	if (status !== 400) throw new Failure(`A forged event was answered with ${status}`);
	say(`\n${strong('Somebody else sends an event, signed with a secret of his own')}`);
	say(`   ${forged.type.padEnd(32)} ${strong(`${status}, nothing is kept of it`)}`);
}

async function deliver(world: DemoWorld, body: string, header: string): Promise<number> {
	const response = await fetch(`${world.url}/webhooks/stripe/${world.programId}`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': header },
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
