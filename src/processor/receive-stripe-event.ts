import { and, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { commit, readTogether } from '../db/client.ts';
import { processorEndpoints, processorEvents } from '../db/schema/processor.ts';
import { programs } from '../db/schema/programs.ts';
import { GRACE_MS, WAIT_MS } from '../domain/inbox-schedule.ts';
import { isTooDeep } from '../domain/json-depth.ts';
import { invalid, Rejection } from '../domain/rejection.ts';
import { ofProgram, parseSealed } from './endpoint.ts';
import { sendEvents } from './send-events.ts';
import { stripeEnvelope } from './stripe/read-event.ts';
import { verifyStripeEvent } from './stripe/verify-signature.ts';

/** A delivery of the processor, as it came. */
export interface Delivery {
	readonly payload: Uint8Array;
	readonly signature: string;
}

/**
 * Puts a verified event of Stripe into the inbox, once, and on its way to be processed: two trips, one where it is refused. What
 * is stored is as good as processed, so that the sender may be told so. Rejects with 404 an address where nothing is set up, with
 * 400 what none of the program's signing secrets has signed within the last minutes.
 */
export async function receiveStripeEvent(ctx: Context, programId: number, { payload, signature }: Delivery): Promise<void> {
	const event = await verifyStripeEvent(payload, signature, await readSecrets(ctx, programId), ctx.now);
	if (!event) {
		throw invalid(
			'The Stripe-Signature does not match this body, or is older than 5 minutes. Check that the signing secret (whsec_...) of this very endpoint is set for the program, for test and live mode apart, that nothing on the way changes the body, and that the clocks are right',
		);
	}
	const envelope = stripeEnvelope(event);
	// One that is nested without end could be stored, but not be shown again.
	if (!envelope || isTooDeep(event)) throw invalid('The body is not an event of Stripe');
	const insert = ctx.db
		.insert(processorEvents)
		.values({
			...envelope,
			programId,
			processor: 'stripe',
			payload: new TextDecoder().decode(payload),
			state: 'received',
			receivedAt: ctx.now,
			nextAttemptAt: ctx.now + GRACE_MS,
			expiresAt: ctx.now + WAIT_MS,
		})
		.onConflictDoNothing()
		.returning({ id: processorEvents.id });
	const [stored] = await commit(ctx.db, [], insert);
	if (stored) ctx.defer(sendEvents(ctx, [stored.id]));
}

/** The signing secrets of an active program; one trip. */
async function readSecrets(ctx: Context, programId: number): Promise<string[]> {
	const {
		endpoints: [endpoint],
	} = await readTogether(ctx.db, {
		endpoints: ctx.db
			.select({ sealedSecrets: processorEndpoints.sealedSecrets })
			.from(processorEndpoints)
			.innerJoin(programs, eq(programs.id, processorEndpoints.programId))
			.where(and(ofProgram(programId), eq(programs.active, true))),
	});
	if (!endpoint) {
		throw new Rejection('not_found', {
			message: 'No Stripe webhook is set up at this address. Take the address from GET /api/v1/programs/<id>/stripe of an active program',
		});
	}
	return Promise.all(parseSealed(endpoint.sealedSecrets).map((secret) => ctx.secrets.open(secret)));
}
