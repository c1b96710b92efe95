import { and, eq, sql } from 'drizzle-orm';
import type { Context, Signer } from '../context.ts';
import { read, write } from '../db/client.ts';
import { processorEndpoints } from '../db/schema/processor.ts';
import { programs } from '../db/schema/programs.ts';
import { MINUTE_MS } from '../domain/calendar.ts';
import { GRACE_MS, WAIT_MS } from '../domain/inbox-schedule.ts';
import { isTooDeep } from '../domain/json-depth.ts';
import { invalid, Rejection } from '../domain/rejection.ts';
import { recall, remember } from '../isolate-cache.ts';
import { ofProgram, parseSealed } from './endpoint.ts';
import { sendEvents } from '../inbox/send-events.ts';
import { type StripeEnvelope, stripeEnvelope } from './stripe/read-event.ts';
import { verifyStripeEvent } from './stripe/verify-signature.ts';

/** So long an isolate keeps signing secrets: not for ever what may have been disconnected. */
const KEPT_MS = 10 * MINUTE_MS;

/** A delivery of the processor, as it came. */
export interface Delivery {
	readonly payload: Uint8Array;
	readonly signature: string;
}

/**
 * Puts a verified event of Stripe into the inbox, once, and on its way to be processed. What is stored is as good as processed, so
 * that the sender may be told so. One trip where the isolate knows the program's signing secrets, which the insert asks to be still
 * the same; two where they are read anew, one where the event is refused. Rejects with 404 an address where nothing is set up, with
 * 400 what none of the program's signing secrets has signed within the last minutes.
 */
export async function receiveStripeEvent(ctx: Context, programId: number, delivery: Delivery): Promise<void> {
	const known = recall(ctx.signers, String(programId), ctx.now);
	const stored = known && (await receiveSigned(ctx, programId, delivery, { signer: known, onTrust: true }));
	// Its signer is another one now, or it is there already: who reads the signer can tell.
	if (!stored) await receiveSigned(ctx, programId, delivery, { signer: await readSigner(ctx, programId), onTrust: false });
}

interface Signing {
	readonly signer: Signer;
	/** Whether it was known to the isolate, and may be another one by now. */
	readonly onTrust: boolean;
}

/** Whether the event was stored. Rejects where `onTrust` is false; else what is wrong may be the signer that was known. */
async function receiveSigned(ctx: Context, programId: number, delivery: Delivery, by: Signing): Promise<boolean> {
	const { signer, onTrust } = by;
	const { payload, signature } = delivery;
	const event = await verifyStripeEvent(payload, signature, signer.secrets, ctx.now);
	if (!event && onTrust) return false;
	if (!event) {
		throw invalid(
			'The Stripe-Signature does not match this body, or is older than 5 minutes. Check that the signing secret (whsec_...) of this very endpoint is set for the program, for test and live mode apart, that nothing on the way changes the body, and that the clocks are right',
		);
	}
	const envelope = stripeEnvelope(event);
	// One that is nested without end could be stored, but not be shown again.
	if (!envelope || isTooDeep(event)) throw invalid('The body is not an event of Stripe');
	const { stored } = await write(ctx.db, [], {
		stored: insertEvent(ctx, programId, { ...envelope, payload }, onTrust ? signer : undefined),
	});
	const [row] = stored;
	if (row) ctx.defer(sendEvents(ctx, [row.id]));
	return row !== undefined;
}

/** Once; where a signer is given, only while it signs for the program and the program is active. */
function insertEvent(ctx: Context, programId: number, event: StripeEnvelope & Pick<Delivery, 'payload'>, signer: Signer | undefined) {
	const stillSigns = sql`EXISTS (
		SELECT 1 FROM processor_endpoints e JOIN programs p ON p.id = e.program_id
		WHERE e.program_id = ${programId} AND e.processor = 'stripe' AND e.sealed_secrets = ${signer?.sealedSecrets} AND p.active = 1
	)`;
	return ctx.db.all<{ id: number }>(sql`
		INSERT INTO processor_events
			(program_id, processor, event_id, type, is_test, happened_at, received_at, payload, state, next_attempt_at, expires_at)
		SELECT ${programId}, 'stripe', ${event.eventId}, ${event.type}, ${event.isTest ? 1 : 0}, ${event.happenedAt},
			${ctx.now}, ${new TextDecoder().decode(event.payload)}, 'received', ${ctx.now + GRACE_MS}, ${ctx.now + WAIT_MS}
		WHERE ${signer ? stillSigns : sql`true`}
		ON CONFLICT DO NOTHING
		RETURNING id`);
}

/** The signing secrets of an active program; one trip. */
async function readSigner(ctx: Context, programId: number): Promise<Signer> {
	const {
		endpoints: [endpoint],
	} = await read(ctx.db, {
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
	const { sealedSecrets } = endpoint;
	const secrets = await Promise.all(parseSealed(sealedSecrets).map((secret) => ctx.secrets.open(secret)));
	const signer = { sealedSecrets, secrets };
	remember(ctx.signers, String(programId), signer, ctx.now + KEPT_MS);
	return signer;
}
