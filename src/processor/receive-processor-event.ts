import { and, eq, isNotNull, or, sql } from 'drizzle-orm';
import type { Context, Signer, SigningSecret } from '../context.ts';
import { read, write } from '../db/client.ts';
import { processorEndpoints, processorEvents } from '../db/schema/processor.ts';
import { programs } from '../db/schema/programs.ts';
import { MINUTE_MS } from '../domain/calendar.ts';
import { GRACE_MS, WAIT_MS } from '../domain/processors/inbox-schedule.ts';
import { isTooDeep } from '../domain/json-depth.ts';
import { invalid, Rejection } from '../domain/rejection.ts';
import { timestampRefusal } from '../domain/monitoring/signature-failure.ts';
import { cacheGet, cacheSet } from '../isolate-cache.ts';
import { noteRefusal } from '../programs/note-refusal.ts';
import { isInForce, ofProcessor, parseSealed } from './endpoint.ts';
import { sendEvents } from '../inbox/send-events.ts';
import type { Delivery, Envelope, Processor } from './processor.ts';
import { loadProcessor, type ProcessorName } from './processors.ts';
import { noteSignatureFailure, signatureFailureOf } from './signature-failures.ts';

/** Limited, because a processor may be disconnected. */
const KEPT_MS = 10 * MINUTE_MS;

export interface Address {
	readonly processor: ProcessorName;
	readonly programId: number;
}

export interface Sent {
	readonly payload: Uint8Array;
	readonly header: (name: string) => string | undefined;
}

export interface ReceivedEvent extends Pick<Envelope, 'eventId' | 'type' | 'isTest'> {
	/** False if the event had arrived before. */
	readonly isNew: boolean;
}

interface Place {
	readonly programId: number;
	readonly processor: Processor;
}

/**
 * Stores a verified event in the inbox, once, and queues it. One trip if the isolate has cached the program's signing secrets. Rejects with
 * 404 if nothing is set up at the URL, with 400 if no secret has signed it within the last minutes, and with 409 if it repeats an id with
 * other facts.
 */
export async function receiveProcessorEvent(
	ctx: Context,
	{ processor: name, programId }: Address,
	sent: Sent,
): Promise<ReceivedEvent | undefined> {
	const processor = await loadProcessor(name);
	const place = { programId, processor };
	const delivery = deliveryOf(processor, sent);
	const known = cacheGet(ctx.signers, keyOf(place), ctx.now);
	const received = known && (await receiveSigned(ctx, place, delivery, { signer: known, onTrust: true }));
	// Either the cached signer is outdated, or the event exists already. Reading the signer again decides.
	if (received?.isNew) return received;
	return receiveSigned(ctx, place, delivery, { signer: await readSigner(ctx, place), onTrust: false });
}

function deliveryOf({ signatureHeaders, refusals }: Processor, { payload, header }: Sent): Delivery {
	const headers = signatureHeaders.map((name) => {
		const value = header(name);
		if (value === undefined) throw invalid(refusals.unsigned);
		return [name, value];
	});
	return { payload, headers: Object.fromEntries(headers) };
}

function keyOf({ processor, programId }: Place): string {
	return `${processor.name} ${programId}`;
}

interface Signing {
	readonly signer: Signer;
	/** Whether the signer comes from the cache. */
	readonly onTrust: boolean;
}

/** With `onTrust`, undefined if nothing verifies, because the cached signer may be outdated. Otherwise rejects. */
async function receiveSigned(
	ctx: Context,
	place: Place,
	delivery: Delivery,
	{ signer, onTrust }: Signing,
): Promise<ReceivedEvent | undefined> {
	const { refusals } = place.processor;
	const secrets = signer.secrets.filter((secret) => isInForce(secret, ctx.now));
	const verified = await place.processor.verify(delivery, secrets, ctx.now);
	if (!verified && onTrust) return undefined;
	if (!verified) throw await refusalOf(ctx, place, delivery, secrets);
	const { body, envelope, problem = refusals.unreadable } = verified;
	// A very deeply nested body could be stored, but not shown.
	if (!envelope || isTooDeep(body)) throw invalid(problem);
	const { stored } = await write(ctx.db, [], {
		stored: insertEvent(ctx, place, { ...envelope, payload: delivery.payload }, onTrust ? signer : undefined),
	});
	const [row] = stored;
	if (row) ctx.defer(sendEvents(ctx, [row.id]));
	else if (!onTrust) await requireRepetition(ctx, place, envelope, body);
	const { eventId, type, isTest } = envelope;
	return { eventId, type, isTest, isNew: row !== undefined };
}

async function refusalOf(ctx: Context, place: Place, delivery: Delivery, secrets: readonly SigningSecret[]): Promise<Rejection> {
	const { programId, processor } = place;
	const failure = await signatureFailureOf(processor, delivery, secrets, ctx.now);
	noteSignatureFailure(ctx, programId, processor.name, failure);
	return invalid(failure.kind === 'timestamp' ? timestampRefusal(failure.offsetMs) : processor.refusals.forged);
}

/** Rejects with 409, and logs, an id that was stored with other facts. Processors that read no answers may repeat freely. */
async function requireRepetition(
	ctx: Context,
	{ programId, processor }: Place,
	{ eventId, isTest }: Envelope,
	body: unknown,
): Promise<void> {
	const { name, repetitions } = processor;
	if (!repetitions) return;
	const [known] = await ctx.db
		.select({ payload: processorEvents.payload })
		.from(processorEvents)
		.where(and(eq(processorEvents.programId, programId), eq(processorEvents.processor, name), eq(processorEvents.eventId, eventId)));
	// Bodies are stored for a few weeks only.
	const differs = known?.payload == null ? [] : repetitions.differingFields(JSON.parse(known.payload), body);
	if (differs.length === 0) return;
	const refusal = new Rejection('event_differs', { id: eventId, fields: differs.join(', ') });
	if (!isTest) noteRefusal(ctx, { programId }, repetitions.refusedCallOf(body), refusal);
	throw refusal;
}

/** With a signer, inserts only while it signs for the program and the program is active or archived. */
function insertEvent(ctx: Context, place: Place, event: Envelope & Pick<Delivery, 'payload'>, signer: Signer | undefined) {
	const { programId, processor } = place;
	const stillSigns = sql`EXISTS (
		SELECT 1 FROM processor_endpoints e JOIN programs p ON p.id = e.program_id
		WHERE e.program_id = ${programId} AND e.processor = ${processor.name} AND e.sealed_secrets = ${signer?.sealedSecrets} AND (p.active = 1 OR p.archived_at IS NOT NULL)
	)`;
	return ctx.db.all<{ id: number }>(sql`
		INSERT INTO processor_events
			(program_id, processor, event_id, type, is_test, happened_at, received_at, payload, state, next_attempt_at, expires_at)
		SELECT ${programId}, ${processor.name}, ${event.eventId}, ${event.type}, ${event.isTest ? 1 : 0}, ${event.happenedAt},
			${ctx.now}, ${new TextDecoder().decode(event.payload)}, 'received', ${ctx.now + GRACE_MS}, ${ctx.now + WAIT_MS}
		WHERE ${signer ? stillSigns : sql`true`}
		ON CONFLICT DO NOTHING
		RETURNING id`);
}

/** An archived program counts, because its refunds do. One trip. */
async function readSigner(ctx: Context, place: Place): Promise<Signer> {
	const { programId, processor } = place;
	const {
		endpoints: [endpoint],
	} = await read(ctx.db, {
		endpoints: ctx.db
			.select({ sealedSecrets: processorEndpoints.sealedSecrets })
			.from(processorEndpoints)
			.innerJoin(programs, eq(programs.id, processorEndpoints.programId))
			.where(and(ofProcessor(programId, processor.name), or(eq(programs.active, true), isNotNull(programs.archivedAt)))),
	});
	if (!endpoint) {
		throw new Rejection('not_found', {
			message: `No ${processor.title} webhook is set up at this address. Take the address from GET /api/v1/programs/<id>/processors/${processor.name} of an active program`,
		});
	}
	const { sealedSecrets } = endpoint;
	const opening = parseSealed(sealedSecrets).map(async ({ sealed, ...marks }) => ({ ...marks, secret: await ctx.secrets.open(sealed) }));
	const signer = { sealedSecrets, secrets: await Promise.all(opening) };
	cacheSet(ctx.signers, keyOf(place), signer, ctx.now + KEPT_MS);
	return signer;
}
