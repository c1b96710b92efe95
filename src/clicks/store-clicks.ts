import { eq, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { retryOnConflict, read, refusedWith, type Statement, violates, write } from '../db/client.ts';
import { programs } from '../db/schema/programs.ts';
import { affiliateClickEvents as clicks, clickCount } from '../db/schema/clicks.ts';
import { DAY_MS, dayOf } from '../domain/calendar.ts';
import { sourceOf } from '../domain/attribution/source.ts';
import { cacheGet, cacheSet } from '../isolate-cache.ts';
import type { ClickJob } from '../job.ts';
import { countClicks, type CountedClick, countedSource } from './count-clicks.ts';
import { retiredAmong, type RetiredAmong } from './retired-among.ts';
import { hashClicks, type HashedClicks, selectErased, selectErasing } from './erased-clicks.ts';

/** D1 accepts 2 MB per parameter, and a character has at most three bytes. A fully escaped click has some 13,000 characters. */
const CHARACTERS_PER_STATEMENT = 600_000;

type DatedClick = ClickJob & CountedClick;

interface Known {
	/** Keyed by program id. */
	readonly zones: ReadonlyMap<number, string>;
	/** Ids that are stored, or were erased after they were stored. */
	readonly stored: ReadonlySet<string>;
	/** Undefined if none of the programs has erased anybody. */
	readonly hashed: HashedClicks | undefined;
}

/**
 * Stores and counts clicks in one batch, which assumes cached time zones and that every click is new. If that is wrong, the whole batch
 * fails, and the retry reads both first. A redelivered click is neither changed nor counted again, even if it was erased.
 */
export async function storeClicks(ctx: Context, jobs: readonly ClickJob[]): Promise<void> {
	// A delivery may contain the same click twice.
	const once = [...new Map(jobs.map((job) => [job.clickId, job])).values()];
	const guess = await cacheGetKnown(ctx, once);
	await retryOnConflict(
		async (attempt) => writeClicks(ctx, once, attempt === 1 && guess ? guess : await readKnown(ctx, once)),
		(error) => violates(error, 'affiliate_click_events.click_id') || refusedWith(error, 'affiliate_click_events.click_day'),
	);
}

/** Stores a test click at once, because the response contains the id of its row. */
export async function storeTestClick(ctx: Context, job: ClickJob, clickDay: string): Promise<number> {
	const { version: _version, kind: _kind, ...row } = job;
	const number = sql`(SELECT ${clickCount.clicks} FROM ${clickCount})`;
	const insert = ctx.db
		.insert(clicks)
		.values({ ...row, id: number, source: sourceOf(job.referrerUrl), clickDay })
		// The row exists only if the batch was retried after a lost response.
		.onConflictDoNothing();
	const own = ctx.db.select({ id: clicks.id }).from(clicks).where(eq(clicks.clickId, job.clickId));
	const { stored } = await write(ctx.db, [countOn(ctx, 1), insert], { stored: own });
	const [click] = stored;
	if (!click) throw new Error('The test click was not stored');
	return click.id;
}

/** Undefined unless all time zones are cached. A program's zone is fixed once a click is stored, so the cache is rarely wrong. */
async function cacheGetKnown(ctx: Context, jobs: readonly ClickJob[]): Promise<Known | undefined> {
	const zones = new Map<number, string>();
	for (const id of programsOf(jobs)) {
		const zone = cacheGet(ctx.timeZones, String(id), ctx.now);
		if (zone === undefined) return undefined;
		zones.set(id, zone);
	}
	const isErasing = [...programsOf(jobs)].some((id) => cacheGet(ctx.erasing, String(id), ctx.now));
	return { zones, stored: new Set(), hashed: isErasing ? await hashClicks(ctx, jobs) : undefined };
}

async function readKnown(ctx: Context, jobs: readonly ClickJob[]): Promise<Known> {
	const found = await read(ctx.db, {
		zones: ctx.db
			.select({ id: programs.id, timeZone: programs.timeZone })
			.from(programs)
			.where(sql`${programs.id} IN ${listed([...programsOf(jobs)])}`),
		stored: ctx.db
			.select({ clickId: clicks.clickId })
			.from(clicks)
			.where(sql`${clicks.clickId} IN ${listed(jobs.map(({ clickId }) => clickId))}`),
		erasing: ctx.db.all<{ id: number }>(selectErasing([...programsOf(jobs)])),
	});
	for (const { id, timeZone } of found.zones) cacheSet(ctx.timeZones, String(id), timeZone, ctx.now + DAY_MS);
	for (const { id } of found.erasing) cacheSet(ctx.erasing, String(id), true, ctx.now + DAY_MS);
	// Hashing and another round trip, only if a program has erased somebody.
	const hashed = found.erasing.length > 0 ? await hashClicks(ctx, jobs) : undefined;
	const erased = hashed ? await ctx.db.all<{ hash: string }>(selectErased(hashed)) : [];
	return {
		zones: new Map(found.zones.map(({ id, timeZone }) => [id, timeZone])),
		stored: new Set([...found.stored, ...erased.flatMap(({ hash }) => hashed?.get(hash) ?? [])].map(({ clickId }) => clickId)),
		hashed,
	};
}

function listed(values: readonly unknown[]): SQL {
	return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

function programsOf(jobs: readonly ClickJob[]): ReadonlySet<number> {
	return new Set(jobs.map(({ programId }) => programId));
}

async function writeClicks(ctx: Context, jobs: readonly ClickJob[], { zones, stored, hashed }: Known): Promise<void> {
	const dated = jobs.map((job): DatedClick => {
		const zone = zones.get(job.programId);
		if (zone === undefined) throw new Error('The program of a click does not exist');
		// An uncounted click has no source; otherwise its customer would bring the source into reports despite the limit.
		const source = job.isTest || job.isBot ? null : sourceOf(job.referrerUrl);
		return { ...job, clickDay: dayOf(job.clickedAt, zone), source };
	});
	const retired = await retiredAmong(ctx, dated);
	const isKnown = (clickId: string) => stored.has(clickId) || retired.clickIds.has(clickId);
	const fresh = stored.size + retired.clickIds.size === 0 ? dated : dated.filter(({ clickId }) => !isKnown(clickId));
	const freshHashed = hashed && new Map([...hashed].filter(([, { clickId }]) => !isKnown(clickId)));
	await write(ctx.db, [
		...countClicks(ctx, fresh),
		...(fresh.length === 0 ? [] : [countOn(ctx, fresh.length)]),
		...parametersOf(fresh).map((parameter) =>
			insertClicks(ctx, parameter, fresh, { zones, hashed: freshHashed, retiredDays: retired.days }),
		),
		...updateCustomers(ctx, dated),
		...passOnSubIds(ctx, dated),
	]);
}

/** Raises the click counter in the batch that stores the clicks, so that each number is used once. */
function countOn(ctx: Context, stored: number): Statement {
	return ctx.db.update(clickCount).set({ clicks: sql`${clickCount.clicks} + ${stored}` });
}

/**
 * Rows as JSON in the column order of insertClicks, split into parameters that D1 accepts. Numbers are relative to the last stored one.
 */
function parametersOf(dated: readonly DatedClick[]): string[] {
	const parameters: string[][] = [];
	let room = 0;
	for (const [index, click] of dated.entries()) {
		const { clickId, programId, referralLinkId, isTest, isBot, clickedAt, clickDay, pageUrl, pageTitle, referrerUrl } = click;
		const { sessionId, userAgent, language, timezone, country, source, subId } = click;
		const details = [pageUrl, pageTitle, referrerUrl, sessionId, userAgent, language, timezone, country, source, subId];
		const row = JSON.stringify([
			clickId,
			dated.length - 1 - index,
			programId,
			referralLinkId,
			isTest,
			isBot,
			clickedAt,
			clickDay,
			...details,
		]);
		if (row.length > room) {
			parameters.push([]);
			room = CHARACTERS_PER_STATEMENT;
		}
		parameters.at(-1)?.push(row);
		room -= row.length;
	}
	return parameters.map((rows) => `[${rows.join(',')}]`);
}

/**
 * The day is NULL, which fails the batch, if a time zone changed, a click was erased, an erasure was not checked, or clicks of the day were
 * retired since the read. LIMIT and OFFSET make SQLite build a click's text once instead of once for each use.
 */
function insertClicks(
	ctx: Context,
	parameter: string,
	dated: readonly DatedClick[],
	{ zones, hashed, retiredDays }: Pick<Known, 'zones' | 'hashed'> & { readonly retiredDays: RetiredAmong['days'] },
): Statement {
	const retiredMeanwhile = sql`
		UNION ALL SELECT 1 FROM json_each(${JSON.stringify(retiredDays)}) AS known WHERE known.value ->> 2 IS NOT (
			SELECT clicks FROM retired_click_days WHERE program_id = known.value ->> 0 AND day = known.value ->> 1)`;
	return ctx.db.run(sql`
		INSERT INTO affiliate_click_events (
			click_id, id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day,
			page_url, page_title, referrer_url, session_id, user_agent, language, timezone, country, source, sub_id
		)
		WITH delivered AS (SELECT value AS click FROM json_each(${parameter}) LIMIT -1 OFFSET 0),
			changed AS (
				SELECT 1 FROM json_each(${JSON.stringify([...zones])}) AS zone
				WHERE NOT EXISTS (SELECT 1 FROM programs p WHERE p.id = zone.value ->> 0 AND p.time_zone = zone.value ->> 1)
				UNION ALL ${hashed ? selectErased(hashed) : selectErasing([...programsOf(dated)])}
				${retiredDays.length === 0 ? sql`` : retiredMeanwhile}
			)
		SELECT click ->> 0, (SELECT clicks FROM click_count) - (click ->> 1), click ->> 2, click ->> 3, click ->> 4, click ->> 5, click ->> 6,
			iif(EXISTS (SELECT 1 FROM changed), NULL, click ->> 7), click ->> 8, click ->> 9, click ->> 10, click ->> 11, click ->> 12,
			click ->> 13, click ->> 14, click ->> 15, ${countedSource(dated, sql`click ->> 2`, sql`click ->> 7`, sql`click ->> 16`)}, click ->> 17
		FROM delivered`);
}

/**
 * Gives customers that were recorded before their late click its country and source, and moves their figures there. Reads them inside the
 * batch, because no revision guards against concurrent sales.
 */
function updateCustomers(ctx: Context, jobs: readonly DatedClick[]): Statement[] {
	const sourcedIds = jobs
		.filter(({ isTest, country, source }) => !isTest && (country !== null || source !== null))
		.map(({ clickId }) => clickId);
	if (sourcedIds.length === 0) return [];
	const clickIds = JSON.stringify(sourcedIds);
	const isUnreported = sql`c.click_id = named.value AND c.country IS NULL AND c.source IS NULL
		AND stored.click_id = named.value AND coalesce(stored.country, stored.source) IS NOT NULL`;
	return [
		// Starts from customers, because hardly any click has one yet.
		ctx.db.run(sql`
			INSERT INTO outbox (program_id, id, kind, subject_id, moves, country, source, created_at)
			SELECT c.program_id, 'click:' || c.id, 'click_stored', c.id, ${HISTORY}, stored.country, stored.source, ${ctx.now}
			FROM json_each(${clickIds}) AS named CROSS JOIN customers AS c CROSS JOIN affiliate_click_events AS stored WHERE ${isUnreported}`),
		// Reads the clicks again only if a customer is waiting for one.
		ctx.db.run(sql`
			UPDATE customers AS c SET country = stored.country, source = stored.source, revision = revision + 1
			FROM json_each(iif(changes() > 0, ${clickIds}, '[]')) AS named CROSS JOIN affiliate_click_events AS stored WHERE ${isUnreported}`),
	];
}

/** Few links have a sub_id. */
function passOnSubIds(ctx: Context, jobs: readonly DatedClick[]): Statement[] {
	const named = jobs.flatMap(({ clickId, isTest, subId }) => (isTest || !subId ? [] : [[clickId, subId]]));
	if (named.length === 0) return [];
	return [
		ctx.db.run(sql`
			UPDATE customers AS c SET sub_id = click.value ->> 1, revision = revision + 1
			FROM json_each(${JSON.stringify(named)}) AS click WHERE c.click_id = click.value ->> 0 AND c.sub_id IS NULL`),
	];
}

/** The figures of customer `c` as deltas that the totals already include (domain/reporting/metric-deltas.ts). */
const HISTORY = sql`(
	SELECT json_group_array(json_object('day', day, 'currency', currency, 'onlyValues', json('true'), 'leads', leads, 'conversions', conversions,
		'sales', sales, 'revenueCents', revenue, 'refundedCents', refunded, 'commissionCents', commission, 'deductedCents', deducted))
	FROM (
		SELECT c.signup_date AS day, NULL AS currency, 1 AS leads, 0 AS conversions,
			0 AS sales, 0 AS revenue, 0 AS refunded, 0 AS commission, 0 AS deducted
		UNION ALL SELECT c.first_purchase_date, NULL, 0, 1, 0, 0, 0, 0, 0
		UNION ALL SELECT sale_day, currency, 0, 0, 1, amount_cents, refunded_cents, 0, 0
		FROM affiliate_sale_events WHERE customer_id = c.id AND duplicate_of_sale_id IS NULL
		UNION ALL SELECT m.created_day, m.currency, 0, 0, 0, 0, 0, m.amount_cents, iif(m.status = 'rejected', m.amount_cents, m.deducted_cents)
		FROM affiliate_sale_events s JOIN commissions m ON m.sale_id = s.id WHERE s.customer_id = c.id AND s.duplicate_of_sale_id IS NULL
	) WHERE day IS NOT NULL
)`;
