import { env } from 'cloudflare:workers';
import { getTableColumns } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { affiliateSaleEvents } from '../../../src/db/schema/sales.ts';
import {
	aCustomFunnel,
	connected,
	customEvent,
	type CustomFunnel,
	outcomes,
	receiveCustom,
	sendCustom,
} from '../../support/custom-webhook.ts';
import { aLead, balanceOf, rows, track } from '../../support/funnel.ts';
import { aStripeFunnel, aStory, send, work } from '../../support/inbox.ts';
import { expectSoundLedger } from '../../support/sound-ledger.ts';
import { api, unique } from '../../support/world.ts';

// Order numbers are unique per program: another program may use the same ones (decision 55). A sale earns 20 %.

let order: string;
beforeEach(() => {
	order = unique('1001');
});

const usd = (amount_cents: number) => ({ amount_cents, currency: 'USD' });
const paid = async (of: CustomFunnel, cents = 10_000, more: Record<string, unknown> = {}) =>
	customEvent('payment', { payment_id: order, customer_key: await aLead(of), ...usd(cents), ...more });
const refunded = (cents: number) => customEvent('refund', { refund_id: unique('r'), payment_id: order, ...usd(cents) });
const sells = async (of: CustomFunnel, cents = 10_000) =>
	track('sale', { transaction_id: order, customer_key: await aLead(of), ...usd(cents) }, of.apiToken);
const salesOf = ({ id }: CustomFunnel) =>
	rows(
		'SELECT processor_event_id AS id, amount_cents AS cents, refunded_cents AS refunded FROM affiliate_sale_events WHERE program_id = ?',
		id,
	);
const shown = async (at: string, token: string) => (await api(at, { token })).body.data;
const outcomeOf = async (of: CustomFunnel, { id }: { readonly id: string }) => (await outcomes(of)).get(id);

describe('two programs', () => {
	test('have payments with the same order number, which are refunded separately', async () => {
		const [one, other] = [await aCustomFunnel(), await aCustomFunnel()];
		await sendCustom(one, await paid(one));
		const second = await paid(other, 5_000);
		await sendCustom(other, second);
		expect(await outcomeOf(other, second)).toMatch(/^applied: Sale \d+ recorded, commission \d+$/);
		expect([await balanceOf(one), await balanceOf(other)]).toEqual([2_000, 1_000]);
		await sendCustom(other, refunded(2_500));
		expect([await balanceOf(one), await balanceOf(other)]).toEqual([2_000, 500]);
		expect(await track('refund', { transaction_id: order }, one.apiToken)).toMatchObject({ status: 200, body: { status: 'reversed' } });
		expect([await balanceOf(one), await balanceOf(other)]).toEqual([0, 500]);
		for (const each of [one, other]) await expectSoundLedger(each);
	});

	test('are shown the bare id everywhere, and find their own sale by it', async () => {
		const [one, other] = [await aCustomFunnel(), await aCustomFunnel()];
		for (const each of [one, other]) await sendCustom(each, await paid(each));
		for (const { id, path, owner, apiToken } of [one, other]) {
			const bare = [{ transaction_id: order }];
			expect(await shown(`/api/tracking/events/${id}?type=sale&transaction_id=${order}`, owner.token)).toMatchObject(bare);
			expect(await shown(`/api/v1/cli/events?type=sale&transaction_id=${order}`, apiToken)).toMatchObject(bare);
			expect(await shown(`${path}/commissions?search=${order}`, owner.token)).toMatchObject([{ sale: { transaction_id: order } }]);
			const explained = await api<{ sales: unknown[] }>(`${path}/explain?transaction_id=${order}`, { token: owner.token });
			expect(explained.body.data.sales).toMatchObject([{ sale: { transaction_id: order } }]);
		}
	});

	test('do not conflict if one reports from its backend', async () => {
		const [one, other] = [await aCustomFunnel(), await aCustomFunnel()];
		await sendCustom(one, await paid(one));
		expect(await sells(other, 5_000)).toMatchObject({ status: 200 });
		expect(await sells(one)).toMatchObject({ status: 409, body: { message: expect.stringContaining('recorded') } });
		expect(JSON.stringify(await sells(one))).not.toContain('Another program');
		await sendCustom(other, refunded(2_500));
		expect([await balanceOf(one), await balanceOf(other)]).toEqual([2_000, 500]);
	});

	test("may pay under an id that another program's backend has used", async () => {
		const [one, other] = [await aCustomFunnel(), await aCustomFunnel()];
		await sells(one);
		const event = await paid(other, 5_000);
		await sendCustom(other, event, refunded(2_500));
		expect(await outcomeOf(other, event)).toMatch(/^applied: Sale/);
		expect([await balanceOf(one), await balanceOf(other)]).toEqual([2_000, 500]);
		expect((await track('refund', { transaction_id: order }, other.apiToken)).body).toMatchObject({ status: 'reversed' });
		expect(await balanceOf(one)).toBe(2_000);
	});

	test('have test payments with the same order number', async () => {
		const [one, other] = [await aCustomFunnel(), await aCustomFunnel()];
		for (const each of [one, other]) {
			const event = customEvent('payment', { payment_id: order, customer_key: await aLead(each), ...usd(10_000) }, { test: true });
			await sendCustom(each, event);
			expect(await outcomeOf(each, event)).toMatch(/^applied: Test record/);
			expect(await track('sale', { transaction_id: order, additional_data: { test_mode: true } }, each.apiToken)).toMatchObject({
				status: 409,
			});
			const refund = { transaction_id: order, additional_data: { test_mode: true } };
			expect(await track('refund', refund, each.apiToken)).toMatchObject({ body: { data: { programId: each.id } } });
		}
	});
});

describe('within a program one id is one payment', () => {
	test('that the backend reported first', async () => {
		const funnel = await aCustomFunnel();
		await sells(funnel);
		const event = await paid(funnel);
		await sendCustom(funnel, event, refunded(5_000));
		expect(await outcomeOf(funnel, event)).toMatch(/^applied: Already recorded as sale/);
		expect(await salesOf(funnel)).toEqual([{ id: order, cents: 10_000, refunded: 5_000 }]);
		expect(await balanceOf(funnel)).toBe(1_000);
	});

	test('that the webhook reported first', async () => {
		const funnel = await aCustomFunnel();
		await sendCustom(funnel, await paid(funnel));
		expect(await sells(funnel)).toMatchObject({
			status: 409,
			body: { error: 'Duplicate transaction_id. This sale has already been recorded.' },
		});
		expect(await salesOf(funnel)).toEqual([{ id: order, cents: 10_000, refunded: 0 }]);
	});

	test('that both report concurrently', async () => {
		const funnel = await aCustomFunnel();
		const customer_key = await aLead(funnel);
		const { messages } = await receiveCustom(funnel, customEvent('payment', { payment_id: order, customer_key, ...usd(10_000) }));
		await Promise.all([
			work(messages),
			...[1, 2, 3].map(() => track('sale', { transaction_id: order, customer_key, ...usd(10_000) }, funnel.apiToken)),
		]);
		expect(await salesOf(funnel)).toEqual([{ id: order, cents: 10_000, refunded: 0 }]);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('that is another id of a Stripe payment', async () => {
		const stripe = await aStripeFunnel();
		const story = await aStory(stripe);
		await send(stripe, story.checkout.completed());
		const { secret } = await connected(stripe);
		order = story.first.ids.paymentIntent;
		const event = await paid(stripe);
		await sendCustom({ ...stripe, secret }, event, refunded(5_000));
		expect(await outcomeOf(stripe, event)).toMatch(/^applied: Already recorded as sale/);
		expect(await salesOf(stripe)).toHaveLength(1);
	});

	test('that Stripe reports later', async () => {
		const stripe = await aStripeFunnel();
		const story = await aStory(stripe);
		const { secret } = await connected(stripe);
		order = story.first.ids.paymentIntent;
		await sendCustom({ ...stripe, secret }, await paid(stripe));
		await send(stripe, story.checkout.completed());
		expect(await salesOf(stripe)).toHaveLength(1);
	});
});

test('a payment from before ids belonged to programs keeps its id, and later events find it', async () => {
	const [funnel, other] = [await aCustomFunnel(), await aCustomFunnel()];
	await sendCustom(funnel, await paid(funnel));
	await asBefore(funnel);
	const again = await paid(funnel);
	await sendCustom(funnel, again, refunded(2_500));
	expect(await outcomeOf(funnel, again)).toMatch(/^applied: Already recorded as sale/);
	expect(await sells(funnel)).toMatchObject({ status: 409, body: { differs: ['customer'] } });
	expect(await salesOf(funnel)).toEqual([{ id: order, cents: 10_000, refunded: 2_500 }]);
	await sendCustom(other, await paid(other));
	expect(await balanceOf(other)).toBe(2_000);
});

/** Stores the sale under an id shared by all programs, as earlier versions did. */
async function asBefore({ id }: CustomFunnel): Promise<void> {
	const [trigger] = await rows<{ sql: string }>("SELECT sql FROM sqlite_master WHERE name = 'affiliate_sale_events_keep_scope'");
	await env.DB.batch([
		env.DB.prepare('DROP TRIGGER affiliate_sale_events_keep_scope'),
		env.DB.prepare('UPDATE affiliate_sale_events SET id_scope = 0, revision = revision + 1 WHERE program_id = ?').bind(id),
		env.DB.prepare(trigger?.sql ?? ''),
	]);
}

test('the schema refuses a second sale of one id in a program, whichever way it was reported', async () => {
	const funnel = await aCustomFunnel();
	await sendCustom(funnel, await paid(funnel));
	const names = Object.values(getTableColumns(affiliateSaleEvents))
		.map(({ name }) => name)
		.filter((name) => name !== 'id');
	const values = names.map((name) => (name === 'id_scope' ? '0' : name === 'op_id' ? "'another'" : name));
	const copy = env.DB.prepare(
		`INSERT INTO affiliate_sale_events (${names.join()}) SELECT ${values.join()} FROM affiliate_sale_events WHERE program_id = ?`,
	).bind(funnel.id);
	await expect(copy.run()).rejects.toThrow('is known in its program');
});
