import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { aPartner, aShop, anEarnedCommission, type Shop, type TestPartner } from '../support/ledger.ts';
import { actionsIn } from '../support/members.ts';
import { aSignedInPartner } from '../support/portal.ts';
import { aMember, api, type Owner, signUp } from '../support/world.ts';

let owner: Owner;
let shop: Shop;

beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

interface Planned {
	readonly payout_id: number;
	readonly amount_cents: number;
	readonly account?: string;
	readonly reason?: string;
	readonly reason_text?: string;
}

interface Batch {
	readonly payouts: readonly Planned[];
	readonly left_out: readonly Planned[];
	readonly left_out_count: number;
	readonly next_cursor: string | null;
}

async function aPartnerPaidBy(details: object | undefined, place: Shop = shop): Promise<TestPartner> {
	if (details === undefined) return aPartner(place);
	const partner = await aSignedInPartner(place);
	const { status, text } = await api(`/api/v1/partner-accounts/${partner.id}/payout-details`, {
		method: 'PUT',
		token: partner.token,
		body: { password: partner.person.password, ...details },
	});
	expect(status, text).toBe(200);
	return partner;
}

async function aPayout(details: object | undefined, amountCents: number, currency = 'USD', place: Shop = shop): Promise<number> {
	const { commissionId } = await anEarnedCommission(place, await aPartnerPaidBy(details, place), { amountCents, currency });
	const { body } = await api<{ id: number }[]>(`${place.path}/payouts`, { token: owner.token, body: { commission_ids: [commissionId] } });
	return body.data[0]?.id ?? 0;
}

const plan = async (query: string, place: Shop = shop) =>
	(await api<Batch>(`${place.path}/payouts/batch?${query}`, { token: owner.token })).body.data;
const download = (by: Owner, fields: object, place: Shop = shop) =>
	api(`${place.path}/payouts/batch`, { token: by.token, body: { password: by.password, ...fields } });
const file = async (query: string, place: Shop = shop) =>
	(await download(owner, Object.fromEntries(new URLSearchParams(query)), place)).text;

const paypal = (email = 'pat@people.example') => ({ method: 'paypal', email });
const WISE = { method: 'wise', email: 'pat@people.example', holder: 'Pat, Partner' };
const IBAN = { method: 'bank', holder: '=Pat()', currency: 'EUR', iban: 'DE89370400440532013000' };

async function manyPayouts(place: Shop, partner: TestPartner, count: number): Promise<void> {
	const insert = env.DB.prepare(`
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
		INSERT INTO payouts (program_id, partner_program_id, currency, due_cents, recovered_cents, amount_cents, created_at, op_id)
		SELECT ?2, ?3, 'USD', 100 + i, 0, 100 + i, ?4, 'many-' || i FROM n`);
	await insert.bind(count, place.id, partner.partner_program_id, Date.now()).run();
}

describe('more payouts than a file has', () => {
	test('are split over several files, each payout once', async () => {
		const place = await aShop(owner);
		await manyPayouts(place, await aPartnerPaidBy(WISE, place), 2_003);
		const query = 'method=wise&currency=USD';
		const ids: number[] = [];
		const sizes: number[] = [];
		for (let cursor: string | null = ''; cursor !== null;) {
			const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
			const planned: Batch = await plan(query + from, place);
			const lines = (await file(query + from, place)).trim().split('\r\n').slice(1);
			expect(lines.length).toBe(planned.payouts.length);
			ids.push(...planned.payouts.map(({ payout_id }) => payout_id));
			sizes.push(planned.payouts.length);
			cursor = planned.next_cursor;
		}
		expect(sizes).toEqual([1_000, 1_000, 3]);
		expect(new Set(ids).size).toBe(2_003);
	});

	test('are found after 10,000 payouts that cannot be in the file', async () => {
		const place = await aShop(owner);
		await manyPayouts(place, await aPartner(place), 10_000);
		const late = await aPayout(paypal(), 500, 'USD', place);
		const first = await plan('method=paypal&currency=USD', place);
		expect(first).toMatchObject({ payouts: [], left_out_count: 10_000 });
		expect(await plan(`method=paypal&currency=USD&cursor=${first.next_cursor}`, place)).toMatchObject({
			payouts: [{ payout_id: late }],
			left_out_count: 0,
			next_cursor: null,
		});
	});
});

describe('a file', () => {
	test('for PayPal: recipient, amount, currency, customer id, note and wallet, without a header', async () => {
		const id = await aPayout(paypal(), 123_456, 'USD');
		expect(await file('method=paypal&currency=usd')).toMatch(
			new RegExp(`^pat@people\\.example,1234\\.56,USD,payout-${id},Payout ${id} of Program[^,]*,PAYPAL\r\n$`),
		);
		expect(await plan('method=paypal&currency=USD')).toMatchObject({
			payouts: [{ payout_id: id, amount_cents: 123_456, account: 'PayPal p…@people.example', reference: `payout-${id}` }],
			left_out: [],
			left_out_count: 0,
		});
	});

	test('for Wise: its email template, which pays out the full amount', async () => {
		const place = await aShop(owner);
		const [person, business] = [
			await aPayout(WISE, 9_900, 'GBP', place),
			await aPayout({ ...WISE, receiver_type: 'business' }, 5, 'GBP', place),
		];
		expect((await file('method=wise&currency=GBP&source_currency=EUR', place)).split('\r\n')).toEqual([
			'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency',
			`"Pat, Partner",pat@people.example,payout-${person},PERSON,target,99.00,EUR,GBP`,
			`"Pat, Partner",pat@people.example,payout-${business},INSTITUTION,target,0.05,EUR,GBP`,
			'',
		]);
	});

	test('for a bank: our own columns, safe in a spreadsheet', async () => {
		const place = await aShop(owner);
		const id = await aPayout(IBAN, 1_050, 'EUR', place);
		expect((await file('method=bank&currency=EUR', place)).split('\r\n')).toEqual([
			'payout_id,reference,name,currency,amount,iban,bic,country,account_number,routing_code',
			`${id},payout-${id},'=Pat(),EUR,10.50,DE89370400440532013000,,,,`,
			'',
		]);
	});

	test.each([
		['JPY', 500, '500'],
		['KWD', 1_234, '1.234'],
		['HUF', 50_000, '500'],
	])('has the decimals of %s', async (currency, cents, amount) => {
		const place = await aShop(owner);
		await aPayout(paypal(), cents, currency, place);
		expect((await file(`method=paypal&currency=${currency}`, place)).split(',').slice(1, 3)).toEqual([amount, currency]);
	});
});

describe('left out', () => {
	test('with a reason', async () => {
		const place = await aShop(owner);
		const left = {
			no_payout_details: await aPayout(undefined, 100, 'EUR', place),
			other_method: await aPayout(paypal(), 200, 'EUR', place),
			other_currency: await aPayout({ ...IBAN, currency: 'CHF' }, 300, 'EUR', place),
		};
		const paid = await aPayout(IBAN, 400, 'EUR', place);
		await aPayout(IBAN, 500, 'USD', place);
		const { payouts, left_out: leftOut, left_out_count: count } = await plan('method=bank&currency=EUR', place);
		expect(payouts.map(({ payout_id: id }) => id)).toEqual([paid]);
		expect(Object.fromEntries(leftOut.map(({ reason, payout_id: id }) => [reason, id]))).toEqual(left);
		expect(count).toBe(3);
		expect(leftOut.map(({ reason_text: text }) => text)).toEqual([
			'The partner has not entered payout details',
			'The partner is paid by paypal',
			"The partner's account does not accept EUR",
		]);
		const listed = async (method: string) =>
			(await api<{ id: number }[]>(`${place.path}/payouts?currency=EUR&method=${method}`, { token: owner.token })).body.data.map(
				({ id }) => id,
			);
		expect(await listed('none')).toEqual([left.no_payout_details]);
		expect(await listed('bank')).toEqual([paid, left.other_currency]);
	});

	test('by PayPal: amounts with decimals that it does not accept', async () => {
		const place = await aShop(owner);
		await aPayout(paypal(), 50_050, 'HUF', place);
		expect((await plan('method=paypal&currency=HUF', place)).left_out).toMatchObject([{ reason: 'not_whole' }]);
		expect(await file('method=paypal&currency=HUF', place)).toBe('');
	});

	test('only payouts whose details cannot be decrypted, for example details of another row', async () => {
		const place = await aShop(owner);
		const swapped = [
			await aPayout(paypal('a1@people.example'), 100, 'USD', place),
			await aPayout(paypal('b2@people.example'), 200, 'USD', place),
		];
		const whole = await aPayout(paypal('c3@people.example'), 300, 'USD', place);
		const ofPayout = 'SELECT partner_id FROM partner_programs WHERE id = (SELECT partner_program_id FROM payouts WHERE id = ?)';
		await env.DB.prepare(
			`UPDATE payout_details SET sealed = (SELECT sealed FROM payout_details WHERE partner_id = (${ofPayout})) WHERE partner_id IN (${ofPayout})`,
		)
			.bind(whole, swapped[0])
			.run();
		await env.DB.prepare(`UPDATE payout_details SET sealed = 'AAAA' WHERE partner_id IN (${ofPayout})`).bind(swapped[1]).run();
		const { payouts, left_out: leftOut } = await plan('method=paypal&currency=USD', place);
		expect(payouts.map(({ payout_id: id }) => id)).toEqual([whole]);
		expect(leftOut.map(({ payout_id: id, reason }) => [id, reason])).toEqual(swapped.map((id) => [id, 'unreadable']));
		expect((await file('method=paypal&currency=USD', place)).trim().split('\r\n')).toEqual([
			expect.stringMatching(/^c3@people\.example,3\.00/),
		]);
	});

	test('payouts that were sent or failed; sent ones can be downloaded again', async () => {
		const place = await aShop(owner);
		const [sent, failed, made] = [
			await aPayout(paypal('a1@people.example'), 100, 'USD', place),
			await aPayout(paypal('b2@people.example'), 100, 'USD', place),
			await aPayout(paypal('c3@people.example'), 100, 'USD', place),
		];
		await api(`${place.path}/payouts/${sent}/sent`, { token: owner.token, body: {} });
		await api(`${place.path}/payouts/${failed}/failed`, { token: owner.token, body: { reason: 'closed' } });
		const idsOf = async (query: string) => (await plan(`method=paypal&currency=USD${query}`, place)).payouts.map(({ payout_id: id }) => id);
		expect(await idsOf('')).toEqual([made]);
		expect(await idsOf('&status=sent')).toEqual([sent]);
	});
});

const secret = async () => {
	const place = await aShop(owner);
	await aPayout(paypal('very.secret@people.example'), 100, 'USD', place);
	return place;
};
const fields = { method: 'paypal', currency: 'USD' };
const exportsOf = async ({ id }: Shop) =>
	(await env.DB.prepare("SELECT detail FROM audit_entries WHERE action = 'payout.export' AND program_id = ?").bind(id).all()).results;

const received = async ({ token }: Owner) =>
	(await api<{ kind: string; message: string }[]>('/api/v1/notifications', { token })).body.data.map(({ kind, message }) => [
		kind,
		message,
	]);

describe('account details', () => {
	test('are downloaded by owners and admins and audited without the details; the preview masks them', async () => {
		const place = await secret();
		for (const [by, status] of [
			[await aMember(owner, 'member'), 403],
			[await signUp(), 403],
			[await aMember(owner, 'admin'), 200],
		] as const) {
			const answer = await download(by, fields, place);
			expect(answer.status).toBe(status);
			expect(answer.text.includes('very.secret')).toBe(status === 200);
		}
		expect((await api(`${place.path}/payouts/batch`, { body: fields })).status).toBe(401);
		expect(JSON.stringify(await plan('method=paypal&currency=USD', place))).not.toContain('very.secret');
		expect(JSON.stringify(await actionsIn(owner))).not.toContain('very.secret');
		expect(await exportsOf(place)).toHaveLength(1);
	});

	test.each(['paypal', 'wise', 'bank'])('require the password, like revealing one account: %s', async (method) => {
		const place = await secret();
		const wrong = await download(owner, { ...fields, method, password: 'a stolen session' }, place);
		expect([wrong.status, wrong.body]).toEqual([403, { error: 'password is wrong' }]);
		const missing = await api(`${place.path}/payouts/batch`, { token: owner.token, body: { ...fields, method } });
		expect([missing.status, missing.body]).toEqual([400, { error: 'password must be a string' }]);
		const path = `${place.path}/payouts/batch?method=${method}&currency=USD`;
		const before = await api(path, { token: owner.token, headers: { Accept: 'text/csv' } });
		expect([before.status, before.body]).toEqual([
			403,
			{
				error:
					'The file contains unmasked payout details, so your password is required: POST {"password", "method", "currency"} to this path',
			},
		]);
		expect(await exportsOf(place)).toEqual([]);
	});

	test('notify every owner when downloaded, and nobody else', async () => {
		const boss = await signUp();
		const place = await aShop(boss);
		const [second, admin, member] = [await aMember(boss, 'owner'), await aMember(boss, 'admin'), await aMember(boss, 'member')];
		expect((await download(admin, { ...fields, password: 'a guess' }, place)).status).toBe(403);
		expect(await received(boss)).toEqual([]);
		expect((await download(admin, fields, place)).status).toBe(200);
		const message = expect.stringMatching(
			/^Someone downloaded a file with the payout details of partners of Program.*: 0 payouts in USD\./,
		);
		for (const by of [boss, second]) expect(await received(by)).toEqual([['payout_file_made', message]]);
		for (const by of [admin, member]) expect(await received(by)).toEqual([]);
	});

	test.each([
		['currency=USD', 'method must be one of paypal, wise, bank'],
		['method=paypal', 'currency must be'],
		['method=paypal&currency=USD&status=failed', 'status must be one of made, sent'],
	])('?%s is refused', async (query, error) => {
		const { status, body } = await api(`${shop.path}/payouts/batch?${query}`, { token: owner.token });
		expect(status).toBe(400);
		expect(body.error).toContain(error.split(' ')[0]);
	});
});
