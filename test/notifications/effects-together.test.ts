import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { applyEffects } from '../../src/notifications/apply-effects.ts';
import { countingTrips } from '../support/counting.ts';
import { holdingQueue } from '../support/deliver.ts';
import { aroundTrips } from '../support/each-trip.ts';
import { losingAnswers, losingTrips } from '../support/faulty.ts';
import { rows } from '../support/funnel.ts';
import { aPartner, anEarnedCommission, aRefund, aShop, type Shop } from '../support/ledger.ts';
import { aMember, api, signUp, unique } from '../support/world.ts';

// The effects of many outbox rows are written by the same few statements: they must be those of each row by itself.

const KINDS = ['commission_created', 'commission_rejected', 'payout_made', 'sale_recorded', 'sale_refunded'] as const;

let shop: Shop;
let subjects: readonly { readonly kind: string; readonly subject_id: number }[];
beforeAll(async () => {
	shop = await aShopWithAStory();
	subjects = await rows('SELECT kind, subject_id FROM outbox WHERE program_id = ? ORDER BY kind, subject_id', shop.id);
	// Now, for the queue would bring them while a test looks at the metrics.
	const own = await rows<{ id: string }>('SELECT id FROM outbox WHERE program_id = ?', shop.id);
	await applyEffects(
		context(),
		own.map(({ id }) => id),
	);
	expect([...new Set(subjects.map(({ kind }) => kind))]).toEqual(KINDS);
});

/** Sales in two currencies, one refunded, one rejected, and one refunded after it was paid: with two members to be warned of that. */
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
	return place;
}

async function manage({ path, owner }: Shop, route: string, body: object): Promise<void> {
	const { status, text } = await api(`${path}/${route}`, { token: owner.token, body });
	expect(status, text).toBeLessThan(300);
}

/** What happened to the shop is to take effect once more: outbox rows of its own, in the order of their ids. */
async function anew(): Promise<string[]> {
	const prefix = unique('anew');
	const ids = subjects.map((_, index) => `${prefix}:${String(index).padStart(2, '0')}`);
	await env.DB.batch(
		subjects.map(({ kind, subject_id }, index) =>
			env.DB.prepare('INSERT INTO outbox (id, program_id, kind, subject_id, created_at) VALUES (?, ?, ?, ?, 1)').bind(
				ids[index],
				shop.id,
				kind,
				subject_id,
			),
		),
	);
	return ids;
}

function context(DB: D1Database = env.DB) {
	return openContext({ ...env, DB, EFFECTS: holdingQueue() }, { waitUntil: () => undefined });
}

/** What the rows have told whom, in the order of the notifications; each row by its place in the story. */
async function toldBy(ids: readonly string[]) {
	const found = await rows<{ outbox_id: string }>(
		`SELECT outbox_id, partner_id, user_id, program_id, kind, detail, read_at FROM notifications
		WHERE outbox_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
		JSON.stringify(ids),
	);
	return found.map((row) => ({ ...row, outbox_id: row.outbox_id.split(':')[1] }));
}

async function totals() {
	return rows<Record<string, number>>(
		`SELECT sum(sales) AS sales, sum(revenue_cents) AS revenue, sum(refunded_cents) AS refunded, sum(commission_cents) AS commission,
			sum(deducted_cents) AS deducted, count(*) AS currencies FROM program_metrics WHERE program_id = ?`,
		shop.id,
	);
}

/** By how much the totals of the shop grow meanwhile. */
async function growth(work: () => Promise<unknown>) {
	const [before = {}] = await totals();
	await work();
	const [after = {}] = await totals();
	return Object.fromEntries(Object.entries(after).map(([name, total]) => [name, total - (before[name] ?? 0)]));
}

async function waitingOf(ids: readonly string[]): Promise<string[]> {
	const found = await rows<{ id: string }>(
		'SELECT id FROM outbox WHERE done_at IS NULL AND id IN (SELECT value FROM json_each(?)) ORDER BY id',
		JSON.stringify(ids),
	);
	return found.map(({ id }) => id);
}

/** Meanwhile a notification of this row is refused. */
async function refusing(id: string, work: () => Promise<unknown>): Promise<void> {
	await env.DB.prepare(
		`CREATE TRIGGER refuse_one BEFORE INSERT ON notifications WHEN NEW.outbox_id = '${id}' BEGIN SELECT RAISE(ABORT, 'not this one'); END`,
	).run();
	try {
		await work();
	} finally {
		await env.DB.prepare('DROP TRIGGER refuse_one').run();
	}
}

const ONCE = { sales: 3, revenue: 7_000, refunded: 800, commission: 7_000, deducted: 800, currencies: 0 };

describe('the effects of many rows', () => {
	test('are those of each by itself, in the same order', async () => {
		const [together, apart] = [await anew(), await anew()];
		expect(await growth(() => applyEffects(context(), together.toReversed()))).toEqual(ONCE);
		expect(
			await growth(async () => {
				for (const id of apart) await applyEffects(context(), [id]);
			}),
		).toEqual(ONCE);
		const told = await toldBy(together);
		expect(told).toEqual(await toldBy(apart));
		// Three commissions, a rejection, a payout and two refunds to partners; two warnings, after the notice of the refund.
		expect(told.map(({ kind }: Record<string, unknown>) => kind)).toEqual([
			...Array<string>(3).fill('commission_created'),
			'commission_rejected',
			'payout_made',
			'commission_reversed',
			'commission_reversed',
			'manual_review',
			'manual_review',
		]);
	});

	test('take one trip, and a second delivery one that does nothing', async () => {
		const ids = await anew();
		const DB = countingTrips(env.DB);
		expect(await growth(() => applyEffects(context(DB), ids))).toEqual(ONCE);
		expect(DB.trips()).toBe(1);
		const [told, done] = [await toldBy(ids), await rows('SELECT done_at FROM outbox WHERE id = ?', ids[0])];
		expect((await growth(() => applyEffects(context(DB), ids)))['sales']).toBe(0);
		expect(DB.trips()).toBe(2);
		expect([await toldBy(ids), await rows('SELECT done_at FROM outbox WHERE id = ?', ids[0])]).toEqual([told, done]);
	});

	test('are those of the rest, where some have theirs, are named twice or are not there', async () => {
		const ids = await anew();
		const DB = countingTrips(env.DB);
		const grown = await growth(async () => {
			await applyEffects(context(), ids.slice(0, 6));
			await applyEffects(context(DB), ['no such row', ...ids, ...ids]);
		});
		expect(grown).toEqual(ONCE);
		expect(DB.trips()).toBe(1);
		expect(await toldBy(ids)).toHaveLength(9);
	});

	test('are had once, in however many deliveries at a time they come', async () => {
		const ids = await anew();
		const deliveries = [ids, ids.toReversed(), ids.slice(3), ids.slice(0, 5), ids.filter((_, index) => index % 2 === 0)];
		expect(await growth(() => Promise.all(deliveries.map((delivery) => applyEffects(context(), delivery))))).toEqual(ONCE);
		expect(await toldBy(ids)).toHaveLength(9);
	});
});

describe('of many rows, more than one batch holds,', () => {
	test.each(KINDS.filter((kind) => kind !== 'sale_recorded'))(
		'one bad %s does not hold up the others; its fault is thrown',
		async (kind) => {
			const ids = await anew();
			const bad = ids[subjects.findLastIndex((subject) => subject.kind === kind)] ?? '';
			const filling = Array.from({ length: 150 }, (_, index) => `none:${index}`);
			await refusing(bad, () =>
				expect(applyEffects(context(), [...ids.slice(0, 4), ...filling, ...ids.slice(4)])).rejects.toThrow(/not this one/),
			);
			expect(await waitingOf(ids)).toEqual([bad]);
			await applyEffects(context(), ids);
			expect(await waitingOf(ids)).toEqual([]);
			expect(await toldBy(ids)).toHaveLength(9);
		},
	);

	test('the bad one has none of its effects', async () => {
		const ids = await anew();
		const bad = ids[subjects.findIndex(({ kind }) => kind === 'commission_created')] ?? '';
		const grown = await growth(() => refusing(bad, () => expect(applyEffects(context(), ids)).rejects.toThrow(/not this one/)));
		expect(grown).toEqual({ ...ONCE, commission: ONCE.commission - 1_000 });
		expect((await toldBy(ids)).map(({ outbox_id }) => outbox_id)).not.toContain(bad.split(':')[1]);
	});
});

describe('a connection that is bad', () => {
	test('and loses every answer lets each row have its effect once, and asks what is done', async () => {
		const ids = await anew();
		expect(await growth(() => applyEffects(context(losingAnswers(env.DB, 1_000)), ids))).toEqual(ONCE);
		expect(await waitingOf(ids)).toEqual([]);
	});

	test('and takes no write lets no row have its effect, and says so', async () => {
		const ids = await anew();
		await expect(applyEffects(context(losingTrips(env.DB, 1_000)), ids)).rejects.toThrow();
		expect(await waitingOf(ids)).toEqual(ids);
		expect(await toldBy(ids)).toEqual([]);
	});

	test('and is gone altogether is not tried row by row', async () => {
		const ids = await anew();
		let trips = 0;
		const gone = aroundTrips(env.DB, async () => {
			trips += 1;
			throw new Error('D1_ERROR: Network connection lost.');
		});
		await expect(applyEffects(context(gone), ids)).rejects.toThrow();
		expect(trips).toBeLessThan(10);
		expect(await waitingOf(ids)).toEqual(ids);
	});
});
