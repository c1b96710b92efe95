import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { holdingQueue } from '../../testing/queues.ts';
import { parseClickId } from '../../src/domain/attribution/click-id.ts';
import { recordLead } from '../../src/leads/record-lead.ts';
import { trackWith } from '../support/bindings.ts';
import { daysAgo, linkIdOf, mintClickId } from '../support/clock.ts';
import { aClick, aFunnel, type Funnel, rows, track } from '../support/funnel.ts';
import { browserLead, customersOf, customersWith, serverLead } from '../support/leads.ts';
import { context } from '../support/payments.ts';
import { api, unique } from '../support/world.ts';

// Which customer a lead belongs to: decisions 1 to 7.

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

const today = () => new Date().toISOString().slice(0, 10);
const leadsOf = (customerId: number | undefined) =>
	rows('SELECT click_id, customer_key, is_test FROM affiliate_lead_events WHERE customer_id = ? ORDER BY id', customerId);
const change = (of: Funnel, path: string, method: string, body?: object) =>
	api(`/api/v1/programs/${of.id}${path}`, { token: of.owner.token, method, body });

describe('a click identifies a customer from its first millisecond', () => {
	test.each(['browser', 'server'])('a %s lead finds the click before its row is stored', async (mode) => {
		const CLICKS = holdingQueue();
		const clicked = await trackWith({ CLICKS }, 'click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}` });
		const click_id = String(clicked.body['click_id']);
		expect(mode === 'browser' ? await browserLead({ click_id }) : await serverLead({ click_id }, funnel)).toBe(200);
		const [customer] = await customersOf(click_id);
		expect(customer).toMatchObject({
			program_id: funnel.id,
			status: 'lead',
			customer_key: null,
			click_sequence: 0,
			clicked_at: parseClickId(click_id)?.clickedAt,
			partner_program_id: funnel.partnerProgramId,
			referral_link_id: await linkIdOf(funnel),
			signup_date: today(),
			first_purchase_date: null,
		});
		expect(await leadsOf(customer?.id)).toEqual([{ click_id, customer_key: null, is_test: 0 }]);
		expect(await rows('SELECT id FROM affiliate_click_events WHERE click_id = ?', click_id)).toEqual([]);
	});

	test('also if an earlier secret signed it', async () => {
		const click_id = await mintClickId(await linkIdOf(funnel), { secret: 'test-secret-earlier-0002' });
		expect(await browserLead({ click_id })).toBe(200);
		expect(await customersOf(click_id)).toMatchObject([{ partner_program_id: funnel.partnerProgramId }]);
	});

	test('signed with a removed secret it is unknown until its row is stored', async () => {
		const linkId = await linkIdOf(funnel);
		const clickedAt = Math.floor(daysAgo(2));
		const click_id = await mintClickId(linkId, { secret: 'a-secret-that-is-gone', clickedAt });
		expect(await browserLead({ click_id })).toBe(400);
		expect(await serverLead({ click_id }, funnel)).toBe(400);
		await storeRow(click_id, linkId, clickedAt, false);
		expect(await browserLead({ click_id })).toBe(200);
		expect(await customersOf(click_id)).toMatchObject([{ partner_program_id: funnel.partnerProgramId, clicked_at: clickedAt }]);
	});

	test('an id with one digit changed is unknown', async () => {
		const clickId = await aClick(funnel);
		const forgeries = Array.from(clickId, (digit, place) =>
			/\d/.test(digit) ? `${clickId.slice(0, place)}${(Number(digit) + 1) % 10}${clickId.slice(place + 1)}` : undefined,
		).filter((forgery) => forgery !== undefined);
		const answers = await Promise.all(forgeries.map((click_id) => browserLead({ click_id })));
		expect(new Set(answers)).toEqual(new Set([400]));
		const key = unique('c');
		expect(await serverLead({ click_id: forgeries[3], customer_key: key }, funnel)).toBe(200);
		expect(await customersWith(key, funnel)).toMatchObject([{ click_id: null, partner_program_id: null }]);
	});

	test('for a link that does not exist it is unknown, even with a valid signature', async () => {
		expect(await browserLead({ click_id: await mintClickId(16_000_000) })).toBe(400);
	});

	test("the day of the signup is the program's day", async () => {
		const far = await aFunnel({ time_zone: 'Pacific/Kiritimati' });
		const click_id = await aClick(far);
		await browserLead({ click_id });
		const [customer] = await customersOf(click_id);
		expect(customer?.signup_date).toBe(new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10));
	});
});

describe('a test click', () => {
	test('attributes nothing real, stored or not', async () => {
		const clicked = await track('click', {
			affiliate_url: `https://shop.example/?aff=${funnel.shortLink}`,
			additional_data: { test_mode: true },
		});
		const click_id = String(clicked.body['click_id']);
		expect(await browserLead({ click_id })).toBe(400);
		expect(await serverLead({ click_id }, funnel)).toBe(400);
		const key = unique('c');
		expect(await serverLead({ click_id, customer_key: key }, funnel)).toBe(200);
		expect(await customersWith(key, funnel)).toMatchObject([{ click_id: null }]);
		expect(await customersOf(click_id)).toEqual([]);
	});

	test('signed with a removed secret attributes nothing either', async () => {
		const linkId = await linkIdOf(funnel);
		const click_id = await mintClickId(linkId, { secret: 'a-secret-that-is-gone', isTest: true });
		await storeRow(click_id, linkId, Date.now(), true);
		expect(await browserLead({ click_id })).toBe(400);
	});

	test('can be used by a test lead', async () => {
		const click_id = await mintClickId(await linkIdOf(funnel), { isTest: true });
		expect(await browserLead({ click_id, additional_data: { test_mode: true } })).toBe(200);
		expect(await customersOf(click_id)).toEqual([]);
	});
});

describe('customer keys', () => {
	test('are unique within a program, not across them', async () => {
		const customer_key = unique('c');
		const other = await aFunnel();
		expect(await serverLead({ customer_key, click_id: await aClick(funnel) }, funnel)).toBe(200);
		expect(await serverLead({ customer_key, click_id: await aClick(other) }, other)).toBe(200);
		expect(await customersWith(customer_key, funnel)).toMatchObject([{ partner_program_id: funnel.partnerProgramId }]);
		expect(await customersWith(customer_key, other)).toMatchObject([{ partner_program_id: other.partnerProgramId }]);
	});

	test('that are known but unattributed in another program of the workspace are not an obstacle', async () => {
		const customer_key = unique('c');
		const other = await aFunnel();
		expect(await serverLead({ customer_key }, other)).toBe(200);
		expect(await serverLead({ customer_key }, funnel)).toBe(200);
	});
});

describe('server_leads_only', () => {
	test('refuses a key from a browser, and accepts everything else', async () => {
		const careful = await aFunnel({ server_leads_only: true });
		const customer_key = unique('c');
		const click_id = await aClick(careful);
		const refused = await track('lead', { click_id, customer_key });
		expect([refused.status, refused.body]).toEqual([
			403,
			{ error: 'customer_key is accepted only with the program key, because this program accepts customer keys only from its backend' },
		]);
		expect(await customersOf(click_id)).toEqual([]);
		expect(await browserLead({ click_id })).toBe(200);
		expect(await serverLead({ click_id, customer_key }, careful)).toBe(200);
		expect(await customersOf(click_id)).toMatchObject([{ customer_key }]);
	});
});

describe('inactive links and partners', () => {
	test('a click on a link that was archived later still attributes', async () => {
		const other = await aFunnel();
		const click_id = await aClick(other);
		await change(other, `/links/${await linkIdOf(other)}`, 'DELETE');
		expect(await browserLead({ click_id })).toBe(200);
		expect(await customersOf(click_id)).toMatchObject([{ partner_program_id: other.partnerProgramId }]);
	});

	test('so does a click of a partner who was suspended later', async () => {
		const other = await aFunnel();
		const click_id = await aClick(other);
		await change(other, `/partners/${other.partnerId}`, 'PATCH', { status: 'suspended' });
		expect(await browserLead({ click_id })).toBe(200);
		expect(await customersOf(click_id)).toMatchObject([{ partner_program_id: other.partnerProgramId }]);
	});

	test('a click of a former partner attributes nothing: a key is recorded without it, and the click alone is refused', async () => {
		const other = await aFunnel();
		const click_id = await aClick(other);
		await change(other, `/partners/${other.partnerId}`, 'DELETE');
		const customer_key = unique('c');
		expect(await serverLead({ click_id }, other)).toBe(400);
		expect(await browserLead({ click_id })).toBe(400);
		expect(await serverLead({ click_id, customer_key }, other)).toBe(200);
		expect(await customersWith(customer_key, other)).toMatchObject([{ click_id: null, partner_program_id: null }]);
	});

	test('an inactive program accepts no leads', async () => {
		const other = await aFunnel();
		const click_id = await aClick(other);
		await change(other, '', 'PATCH', { active: false });
		expect(await track('lead', { click_id })).toMatchObject({
			status: 400,
			body: { error: 'Customer not found. Provide a valid click_id or customer_key.' },
		});
		expect(await serverLead({ click_id }, other)).toBe(401);
	});
});

async function storeRow(clickId: string, linkId: number, clickedAt: number, isTest: boolean): Promise<void> {
	await env.DB.prepare(
		`INSERT INTO affiliate_click_events (click_id, id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day)
		VALUES (?, 0, ?, ?, ?, 0, ?, ?)`,
	)
		.bind(clickId, funnel.id, linkId, Number(isTest), clickedAt, new Date(clickedAt).toISOString().slice(0, 10))
		.run();
}

test('the payment processor reports leads like a backend, without key or origin', async () => {
	const place = await aFunnel({ server_leads_only: true, allowed_origins: ['https://shop.example'] });
	const customerKey = unique('customer');
	const lead = { clickId: await aClick(place), customerKey, email: undefined, isTest: false };
	const { programId } = await recordLead(context(), lead, { mode: 'processor', programId: place.id });
	expect(programId).toBe(place.id);
	expect(await rows('SELECT status, partner_program_id FROM customers WHERE customer_key = ?', customerKey)).toEqual([
		{ status: 'lead', partner_program_id: place.partnerProgramId },
	]);
	await expect(recordLead(context(), lead, { mode: 'processor', programId: place.id })).rejects.toThrow('Current status: lead');
	await change(place, '', 'PATCH', { active: false });
	await expect(recordLead(context(), lead, { mode: 'processor', programId: place.id })).rejects.toThrow('Program not found');
});
