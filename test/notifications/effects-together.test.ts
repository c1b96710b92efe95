import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { applyEffects } from '../../src/notifications/apply-effects.ts';
import type { OutboxKey } from '../../src/outbox/outbox.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { aroundTrips } from '../../testing/d1/each-trip.ts';
import { keysOf } from '../support/effects.ts';
import { losingAnswers, losingTrips } from '../../testing/d1/failing.ts';
import { aClick, rows, track } from '../support/funnel.ts';
import { aPartner, anEarnedCommission, aRefund, aShop, type Shop } from '../support/ledger.ts';
import { aMember, api, signUp, unique } from '../support/world.ts';

// A few statements write the effects of many outbox rows. The result must equal that of processing each row alone.

const KINDS = [
	'commission_created',
	'commission_rejected',
	'lead_recorded',
	'partner_joined',
	'payout_made',
	'sale_recorded',
	'sale_refunded',
] as const;
const NOTIFIED = ['commission_created', 'commission_rejected', 'payout_made', 'sale_refunded'] as const;

let shop: Shop;
let story: readonly { readonly kind: string }[];
beforeAll(async () => {
	await keepingTheStory(async () => {
		shop = await aShopWithAStory();
	});
	story = await rows('SELECT kind FROM told_story WHERE program_id = ? ORDER BY kind, subject_id', shop.id);
	await applyEffects(context(), await keysOf(shop));
	expect([...new Set(story.map(({ kind }) => kind))]).toEqual(KINDS);
});
afterAll(() => env.DB.prepare('DROP TABLE told_story').run());

/** The consumer deletes outbox rows at once, so a trigger copies them first. */
async function keepingTheStory(work: () => Promise<unknown>): Promise<void> {
	await env.DB.batch([
		env.DB.prepare('CREATE TABLE told_story AS SELECT * FROM outbox WHERE false'),
		env.DB.prepare(
			`CREATE TRIGGER keep_story AFTER INSERT ON outbox BEGIN
				INSERT INTO told_story SELECT * FROM outbox WHERE program_id = NEW.program_id AND id = NEW.id;
			END`,
		),
	]);
	try {
		await work();
	} finally {
		await env.DB.prepare('DROP TRIGGER keep_story').run();
	}
}

/**
 * Sales in two currencies: one refunded, one rejected, one refunded after payment with two members to warn. Also a lead, and a sale without
 * commission.
 */
async function aShopWithAStory(): Promise<Shop> {
	const owner = await signUp();
	await aMember(owner, 'admin');
	const place = await aShop(owner);
	const [partner, other] = [await aPartner(place), await aPartner(place)];
	const refunded = await anEarnedCommission(place, partner, { amountCents: 1_000 });
	const rejected = await anEarnedCommission(place, other, { amountCents: 2_000, currency: 'EUR' });
	const paid = await anEarnedCommission(place, partner, { amountCents: 4_000 });
	await aRefund(place, refunded, 300);
	await manage(place, 'commissions/reject', { commission_ids: [rejected.commissionId], reason: 'Own "purchase"' });
	await manage(place, 'payouts', { commission_ids: [paid.commissionId] });
	await aRefund(place, paid, 500);
	// The following rows notify nobody.
	const customer = { customer_key: unique('customer') };
	const clickId = await aClick({ shortLink: other.links[0]?.short_link ?? '' });
	expect((await track('lead', { ...customer, click_id: clickId }, place.apiToken)).status).toBe(200);
	await manage(place, `partners/${other.id}`, { status: 'suspended' }, 'PATCH');
	const sale = { ...customer, transaction_id: unique('txn'), amount_cents: 8_000 };
	expect((await track('sale', sale, place.apiToken)).body).toMatchObject({ success: true, commission_id: null });
	return place;
}

async function manage({ path, owner }: Shop, route: string, body: object, method = 'POST'): Promise<void> {
	const { status, text } = await api(`${path}/${route}`, { token: owner.token, method, body });
	expect(status, text).toBeLessThan(300);
}

/** Copies the outbox rows under new ids, to apply them again. */
async function anew(): Promise<OutboxKey[]> {
	const prefix = unique('anew');
	await env.DB.prepare(
		`INSERT INTO outbox (program_id, id, kind, subject_id, moves, referral_link_id, product_id, country, source, created_at)
		SELECT program_id, printf('%s:%02d', ?, row_number() OVER (ORDER BY kind, subject_id) - 1),
			kind, subject_id, moves, referral_link_id, product_id, country, source, 1
		FROM told_story WHERE program_id = ?`,
	)
		.bind(prefix, shop.id)
		.run();
	return story.map((_, index) => [shop.id, `${prefix}:${String(index).padStart(2, '0')}`]);
}

function context(DB: D1Database = env.DB) {
	return openContext({ ...env, DB, EFFECTS: holdingQueue() }, { waitUntil: () => undefined });
}

/** The notifications of these rows in order, each with the position of its row. */
async function reportedBy(keys: readonly OutboxKey[]) {
	const found = await rows<{ outbox_id: string }>(
		`SELECT outbox_id, partner_id, user_id, program_id, kind, detail, read_at FROM notifications
		WHERE outbox_id IN (SELECT value FROM json_each(?)) ORDER BY outbox_id, id`,
		JSON.stringify(keys.map(([, id]) => id)),
	);
	return found.map((row) => ({ ...row, outbox_id: row.outbox_id.split(':')[1] }));
}

/** All metrics with the number of daily rows, and the breakdown by link and source. */
async function totals() {
	return rows<Record<string, number>>(
		`SELECT sum(leads) AS leads, sum(conversions) AS conversions, sum(partners) AS partners, sum(sales) AS sales,
			sum(revenue_cents) AS revenue, sum(refunded_cents) AS refunded, sum(commission_cents) AS commission,
			sum(deducted_cents) AS deducted, count(*) AS days,
			(SELECT sum(revenue_cents) FROM daily_breakdown WHERE program_id = ?1) AS of_links,
			(SELECT sum(deducted_cents) FROM daily_breakdown WHERE program_id = ?1) AS taken_from_links
		FROM daily_performance WHERE program_id = ?1`,
		shop.id,
	);
}

async function growth(work: () => Promise<unknown>) {
	const [before = {}] = await totals();
	await work();
	const [after = {}] = await totals();
	return Object.fromEntries(Object.entries(after).map(([name, total]) => [name, total - (before[name] ?? 0)]));
}

async function waitingOf(keys: readonly OutboxKey[]): Promise<OutboxKey[]> {
	const found = await rows<{ id: string }>(
		'SELECT id FROM outbox WHERE program_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY id',
		shop.id,
		JSON.stringify(keys.map(([, id]) => id)),
	);
	return found.map(({ id }) => [shop.id, id]);
}

/** The database refuses this row's notifications during the work. */
async function refusing([, id]: OutboxKey, work: () => Promise<unknown>): Promise<void> {
	await env.DB.prepare(
		`CREATE TRIGGER refuse_one BEFORE INSERT ON notifications WHEN NEW.outbox_id = '${id}' BEGIN SELECT RAISE(ABORT, 'not this one'); END`,
	).run();
	try {
		await work();
	} finally {
		await env.DB.prepare('DROP TRIGGER refuse_one').run();
	}
}

const ONCE = {
	leads: 1,
	conversions: 4,
	partners: 2,
	sales: 4,
	revenue: 15_000,
	refunded: 800,
	commission: 7_000,
	deducted: 2_800,
	days: 0,
	of_links: 15_000,
	taken_from_links: 2_800,
};
const NOTHING = Object.fromEntries(Object.keys(ONCE).map((figure) => [figure, 0]));

describe('the effects of many rows', () => {
	test('equal those of each row alone, in the same order', async () => {
		const [together, apart] = [await anew(), await anew()];
		expect(await growth(() => applyEffects(context(), together.toReversed()))).toEqual(ONCE);
		expect(
			await growth(async () => {
				for (const key of apart) await applyEffects(context(), [key]);
			}),
		).toEqual(ONCE);
		const received = await reportedBy(together);
		expect(received).toEqual(await reportedBy(apart));
		// Notifications to partners about three commissions, a rejection, a payout and two refunds. Two warnings follow the refund.
		expect(received.map(({ kind }: Record<string, unknown>) => kind)).toEqual([
			...Array<string>(3).fill('commission_created'),
			'commission_rejected',
			'payout_made',
			'commission_reversed',
			'commission_reversed',
			'manual_review',
			'manual_review',
		]);
	});

	test('take one trip to read and one to write, and a second delivery only one to read', async () => {
		const keys = await anew();
		const DB = countingTrips(env.DB);
		expect(await growth(() => applyEffects(context(DB), keys))).toEqual(ONCE);
		expect(DB.trips()).toBe(2);
		const received = await reportedBy(keys);
		expect(await waitingOf(keys)).toEqual([]);
		expect(await growth(() => applyEffects(context(DB), keys))).toEqual(NOTHING);
		expect(DB.trips()).toBe(3);
		expect(await reportedBy(keys)).toEqual(received);
	});

	test('are applied to the remaining rows if some are done, repeated or missing', async () => {
		const keys = await anew();
		const DB = countingTrips(env.DB);
		const grown = await growth(async () => {
			await applyEffects(context(), keys.slice(0, 6));
			await applyEffects(context(DB), [[shop.id, 'no such row'], ...keys, ...keys]);
		});
		expect(grown).toEqual(ONCE);
		expect(DB.trips()).toBe(2);
		expect(await reportedBy(keys)).toHaveLength(9);
	});

	test('are applied once by any number of concurrent deliveries', async () => {
		const keys = await anew();
		const deliveries = [keys, keys.toReversed(), keys.slice(3), keys.slice(0, 5), keys.filter((_, index) => index % 2 === 0)];
		expect(await growth(() => Promise.all(deliveries.map((delivery) => applyEffects(context(), delivery))))).toEqual(ONCE);
		expect(await reportedBy(keys)).toHaveLength(9);
	});
});

describe('if many rows exceed one batch,', () => {
	test.each(NOTIFIED)('one bad %s does not hold up the others, and its error is thrown', async (kind) => {
		const keys = await anew();
		const bad = theBad(keys, kind);
		const filling = Array.from({ length: 150 }, (_, index) => [shop.id, `none:${index}`] as const);
		await refusing(bad, () =>
			expect(applyEffects(context(), [...keys.slice(0, 4), ...filling, ...keys.slice(4)])).rejects.toThrow(/not this one/),
		);
		expect(await waitingOf(keys)).toEqual([bad]);
		await applyEffects(context(), keys);
		expect(await waitingOf(keys)).toEqual([]);
		expect(await reportedBy(keys)).toHaveLength(9);
	});

	test('the bad row has no effect at all', async () => {
		const keys = await anew();
		const bad = theBad(keys, 'sale_refunded');
		const grown = await growth(() => refusing(bad, () => expect(applyEffects(context(), keys)).rejects.toThrow(/not this one/)));
		const [refunded, deducted, taken_from_links] = [ONCE.refunded - 500, ONCE.deducted - 500, ONCE.taken_from_links - 500];
		expect(grown).toEqual({ ...ONCE, refunded, deducted, taken_from_links });
		expect((await reportedBy(keys)).map(({ outbox_id }) => outbox_id)).not.toContain(bad[1].split(':')[1]);
	});
});

function theBad(keys: readonly OutboxKey[], kind: string): OutboxKey {
	return keys[story.findLastIndex((row) => row.kind === kind)] ?? [0, ''];
}

describe('a bad connection', () => {
	test('that loses every answer still applies each row once, because the result is checked', async () => {
		const keys = await anew();
		expect(await growth(() => applyEffects(context(losingAnswers(env.DB, 1_000)), keys))).toEqual(ONCE);
		expect(await waitingOf(keys)).toEqual([]);
	});

	test('that accepts no write applies nothing and throws', async () => {
		const keys = await anew();
		await expect(applyEffects(context(losingTrips(env.DB, 1_000)), keys)).rejects.toThrow();
		expect(await waitingOf(keys)).toEqual(keys);
		expect(await reportedBy(keys)).toEqual([]);
	});

	test('that is gone is not retried row by row', async () => {
		const keys = await anew();
		let trips = 0;
		const gone = aroundTrips(env.DB, async () => {
			trips += 1;
			throw new Error('D1_ERROR: Network connection lost.');
		});
		await expect(applyEffects(context(gone), keys)).rejects.toThrow();
		expect(trips).toBeLessThan(10);
		expect(await waitingOf(keys)).toEqual(keys);
	});
});
