import { and, eq, isNotNull, lte, type SQL, sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { read, type Statement, write } from '../db/client.ts';
import { erasedIds, erasures } from '../db/schema/privacy.ts';
import { DAY_MS, HOUR_MS } from '../domain/calendar.ts';
import { ERASED_ID_DAYS, nextSweepAt } from '../domain/people/erasure.ts';
import {
	eraseReferences,
	eraseClicks,
	eraseRefusals,
	eraseTests,
	isBoundTo,
	listed,
	rememberErased,
	replaceSharedClicks,
} from './erased-rows.ts';
import {
	eraseFound,
	type Found,
	type FoundReference,
	type FoundBody,
	type FoundLead,
	type FoundDeadLetter,
	isOvertaken,
	sortFound,
} from './erase-rows.ts';
import { eraseRetiredClicks } from './erase-retired-clicks.ts';
import { distinct } from './person.ts';
import {
	grownFrom,
	hasAddress,
	isOwnDeadLetter,
	mayBeOwnDeadLetter,
	nextRound,
	type Search,
	StoredSearch,
	namesInBody,
	withPayers,
	withPseudonyms,
} from './search.ts';

export type ErasureCounts = Record<
	'customers' | 'clicks' | 'leads' | 'sales' | 'refusals' | 'processor_events' | 'dead_letters' | 'notifications',
	number
>;

/** Rows per table and step, few because sales wait for it, and steps per sweep. */
const ROWS = { leads: 2_000, events: 1_000, letters: 500, notifications: 2_000 } as const;
const STEPS = 40;
/** Erasures that fail do not keep others from their turn. */
const AGAIN_AFTER_FAULT_MS = HOUR_MS;
/** Per step. */
const BODIES = 40;

interface Erasure {
	readonly id: number;
	readonly programId: number;
	readonly requestedAt: number;
	readonly revision: number;
	readonly counts: ErasureCounts;
}

/** Continues due erasures and deletes old erased ids. Returns how many erasures were due. */
export async function sweepErasures(ctx: Context, limit: number): Promise<number> {
	const due = await ctx.db
		.select()
		.from(erasures)
		.where(and(isNotNull(erasures.nextSweepAt), lte(erasures.nextSweepAt, ctx.now)))
		.orderBy(erasures.nextSweepAt)
		.limit(limit);
	for (const { counts, sealedSearch, ...erasure } of due) {
		if (sealedSearch === null) continue;
		try {
			const search = StoredSearch().parse(JSON.parse(await ctx.secrets.open(sealedSearch)));
			const parsed: ErasureCounts = JSON.parse(counts);
			await sweepErasure(ctx, { ...erasure, counts: parsed }, search);
		} catch (error) {
			ctx.log({ level: 'error', event: 'erasure_not_swept', erasureId: erasure.id, ...describeFault(error) });
		}
	}
	if (due.length > 0) await write(ctx.db, [ctx.db.delete(erasedIds).where(lte(erasedIds.erasedAt, ctx.now - ERASED_ID_DAYS * DAY_MS))]);
	return due.length;
}

/**
 * Searches for remaining data, one batch per step, and at its end in the files of retired clicks. Steps are safe to repeat. If the files
 * cannot be changed, the erasure stays open.
 */
export async function sweepErasure(ctx: Context, begun: Erasure, search: Search): Promise<void> {
	let [erasure, current, isRound] = [begun, await withStarts(ctx, begun, search), true];
	for (let step = 1; step <= STEPS; step += 1) {
		const found = await searchStep(ctx, erasure, current, isRound);
		const isOver = found.atEnd && !found.search.hasGrown;
		const fault = isOver ? await faultIn(eraseRetiredClicks(ctx, erasure.programId, found.search.pseudonyms)) : undefined;
		const nextAt = fault ? ctx.now + AGAIN_AFTER_FAULT_MS : isOver ? nextSweepAt(erasure.requestedAt, ctx.now) : ctx.now;
		try {
			const sealedSearch = nextAt === null ? null : await ctx.secrets.seal(JSON.stringify(found.search));
			await write(ctx.db, [...found.writes, note(ctx, erasure, found.counts, { sealedSearch, nextSweepAt: nextAt })]);
		} catch (error) {
			// Another sweep is running, so the next tick continues.
			if (isOvertaken(error)) return;
			throw error;
		}
		if (fault) throw fault.error;
		if (isOver) return;
		erasure = { ...erasure, counts: found.counts, revision: erasure.revision + 1 };
		current = await withStarts(ctx, erasure, found.atEnd ? nextRound(found.search) : found.search);
		isRound = found.atEnd;
	}
}

/** Returns what was thrown, so that the caller can finish first. */
async function faultIn(work: Promise<void>): Promise<{ readonly error: unknown } | undefined> {
	try {
		await work;
		return undefined;
	} catch (error) {
		return { error };
	}
}

interface StepResult {
	readonly search: Search;
	readonly counts: ErasureCounts;
	readonly writes: readonly Statement[];
	readonly atEnd: boolean;
}

/** Aborts the batch if another sweep was faster. */
function note(
	ctx: Context,
	{ id, revision }: Erasure,
	counts: ErasureCounts,
	next: { readonly sealedSearch: string | null; readonly nextSweepAt: number | null },
): Statement {
	return ctx.db
		.update(erasures)
		.set({ ...next, counts: JSON.stringify(counts), revision: revision + 1 })
		.where(eq(erasures.id, id));
}

/** Skips to the first rows that can match: leads since the first customer, and events with bodies. */
async function withStarts(ctx: Context, { programId }: Erasure, search: Search): Promise<Search> {
	if (search.at.leads !== null && search.at.events !== null) return search;
	const [start] = await ctx.db.all<{ leads: number; events: number }>(sql`
		SELECT coalesce((
				SELECT id FROM affiliate_lead_events INDEXED BY affiliate_lead_events_by_program
				WHERE program_id = ${programId} AND created_at >= ${search.since} ORDER BY created_at LIMIT 1
			), (SELECT max(id) + 1 FROM affiliate_lead_events), 1) AS leads,
			min(
				coalesce((SELECT min(id) FROM processor_events WHERE payload IS NOT NULL AND settled_at IS NOT NULL), 9e15),
				coalesce((SELECT min(id) FROM processor_events WHERE next_attempt_at IS NOT NULL), 9e15),
				coalesce((SELECT max(id) FROM processor_events), 1)
			) AS events`);
	const { leads = 1, events = 1 } = start ?? {};
	// Concurrent requests may get ids out of time order.
	return { ...search, at: { ...search.at, leads: search.at.leads ?? Math.max(0, leads - 1_000), events: search.at.events ?? events - 1 } };
}

/** `isRound`: the step starts a round, so it also searches the tables without steps. */
async function searchStep(ctx: Context, { programId, counts }: Erasure, search: Search, isRound: boolean): Promise<StepResult> {
	const { at } = search;
	const found = await read(ctx.db, {
		ends: ctx.db
			.select({
				leads: sql<number>`coalesce((SELECT max(id) FROM affiliate_lead_events), 0)`,
				events: sql<number>`coalesce((SELECT max(id) FROM processor_events), 0)`,
				letters: sql<number>`coalesce((SELECT max(id) FROM dead_letters), 0)`,
				notifications: sql<number>`coalesce((SELECT max(id) FROM notifications), 0)`,
			})
			.from(sql`(SELECT 1)`),
		leads: ctx.db.all<FoundLead>(selectLeads(programId, search)),
		bindings: isRound ? ctx.db.all<FoundReference>(selectReferences(programId, search)) : undefined,
		events: ctx.db.all<FoundBody>(selectBodies(programId, search)),
		deadLetters: ctx.db.all<FoundDeadLetter>(selectDeadLetters(programId, search)),
		notifications: ctx.db.all<{ id: number }>(selectNotifications(programId, search)),
	});
	const [ends] = found.ends;
	if (!ends) throw new Error('Nothing is known about the tables');
	const bodies = found.events.filter(({ state }) => state !== 'received');
	const waiting = found.events.find(({ state }) => state === 'received');
	const grown = withFound(search, { ...found, bodies });
	const sorted = sortFound(programId, { ...found, bodies }, grown);
	const names = [...grown.keys, ...grown.emails, ...clickIdsOf(grown)];
	const bound = found.bindings.map((row) => row.processor_id);
	const reached = (table: keyof Search['at']) => Math.min((at[table] ?? 0) + ROWS[table], ends[table]);
	// Stops before an unprocessed event, which settles within a minute and is searched then.
	const lastEvent = found.events.length === BODIES ? Number(found.events.at(-1)?.id) : reached('events');
	const events = waiting ? Math.min(lastEvent, waiting.id - 1) : lastEvent;
	const next = { leads: reached('leads'), events, letters: reached('letters'), notifications: reached('notifications') };
	const isAtEnd = (table: keyof Search['at']) => next[table] >= ends[table] || (table === 'events' && waiting !== undefined);
	return {
		search: { ...grown, at: next },
		counts: {
			...counts,
			leads: counts.leads + sorted.leads.length,
			processor_events: counts.processor_events + sorted.bodies.length,
			dead_letters: counts.dead_letters + sorted.deadLetters.length,
			notifications: counts.notifications + sorted.notifications.length,
		},
		atEnd: isAtEnd('leads') && isAtEnd('events') && isAtEnd('letters') && isAtEnd('notifications'),
		writes: [
			...(await rememberErased(ctx, programId, [...clickIdsOf(grown).slice(search.pseudonyms.length), ...bound])),
			...(grown.pseudonyms.length > search.pseudonyms.length ? [replaceSharedClicks(ctx, programId, grown.pseudonyms)] : []),
			// Includes a click row that arrived late, and references stored since the erasure.
			...(await eraseClicks(ctx, programId, grown.pseudonyms)),
			...(isRound ? eraseReferences(ctx, programId, { ...search, clickIds: clickIdsOf(search) }) : []),
			...(isRound ? eraseTests(ctx, programId, names, grown.processorIds) : []),
			eraseRefusals(ctx, programId, names),
			...eraseFound(ctx, sorted),
		],
	};
}

/**
 * Adds clicks of the person's real leads, their other subscriptions, and payer ids in their bodies. Ignores test leads, because they can
 * name anybody.
 */
function withFound(search: Search, { leads, bindings, bodies }: Pick<Found, 'leads' | 'bindings' | 'bodies'>): Search {
	const extended = withPayers(search, bodies);
	return grownFrom(search, {
		...extended,
		pseudonyms: withPseudonyms(extended.pseudonyms, distinct(leads.map((lead) => (lead.is_own === 1 ? lead.click_id : null)))),
		processorIds: distinct([...extended.processorIds, ...bindings.map((row) => row.processor_id)]),
	});
}

function clickIdsOf({ pseudonyms }: Pick<Search, 'pseudonyms'>): string[] {
	return pseudonyms.map(([clickId]) => clickId);
}

function selectReferences(programId: number, search: Search): SQL {
	return sql`
		SELECT processor_id FROM processor_bindings
		WHERE program_id = ${programId} AND ${isBoundTo({ ...search, clickIds: clickIdsOf(search) })}`;
}

function selectLeads(programId: number, { at, customerIds, keys, pseudonyms }: Search): SQL {
	const isOwn = sql`coalesce(customer_id IN ${listed(customerIds)}, false) OR coalesce(customer_key IN ${listed(keys)}, false)
		OR (customer_id IS NULL AND customer_key IS NULL)`;
	return sql`
		SELECT id, iif(is_test, NULL, click_id) AS click_id, ${isOwn} AS is_own FROM affiliate_lead_events
		WHERE id > ${at.leads} AND id <= ${(at.leads ?? 0) + ROWS.leads} AND +program_id = ${programId}
			AND (click_id IS NOT NULL OR customer_key IS NOT NULL) AND (customer_id IN ${listed(customerIds)}
				OR click_id IN ${listed(clickIdsOf({ pseudonyms }))} OR (customer_key IN ${listed(keys)}))`;
}

/** Bodies that name the person. */
function selectBodies(programId: number, search: Search): SQL {
	const { at } = search;
	return sql`
		SELECT id, state, payload, revision FROM processor_events
		WHERE id > ${at.events} AND id <= ${(at.events ?? 0) + ROWS.events} AND +program_id = ${programId} AND payload IS NOT NULL
			AND ${namesInBody(sql`payload`, search)}
		ORDER BY id LIMIT ${BODIES}`;
}

function selectDeadLetters(programId: number, search: Search): SQL {
	const { at } = search;
	const isNamed = sql`iif(program_id IS NULL, ${mayBeOwnDeadLetter(sql`body`, search)}, ${isOwnDeadLetter(sql`body`, search)})`;
	return sql`
		SELECT id, program_id, is_named, iif(is_named AND program_id IS NOT NULL, NULL, body) AS body FROM (
			SELECT *, ${isNamed} AS is_named FROM dead_letters
			WHERE id > ${at.letters ?? 0} AND id <= ${(at.letters ?? 0) + ROWS.letters} AND coalesce(program_id, ${programId}) = ${programId}
		) WHERE is_named OR ${hasAddress(sql`body`, search.emails)}`;
}

/** Notifications that repeat the reason for a refund or rejection of the person's sale. */
function selectNotifications(programId: number, { at, customerIds }: Search): SQL {
	return sql`
		SELECT id FROM notifications
		WHERE id > ${at.notifications ?? 0} AND id <= ${(at.notifications ?? 0) + ROWS.notifications} AND +program_id = ${programId}
			AND detail ->> 'reason' IS NOT NULL
			AND (SELECT customer_id FROM affiliate_sale_events WHERE id = detail ->> 'sale_id') IN ${listed(customerIds)}`;
}
