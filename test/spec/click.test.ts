import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { parseClickId } from '../../src/domain/attribution/click-id.ts';
import { linkIdOf } from '../support/clock.ts';
import { aClick, aFunnel, type Funnel, rows, sharedOwner, track } from '../support/funnel.ts';
import { api, unique } from '../support/world.ts';

// Contract, sections 4.1, 4.8, 7 and 8; decisions 1, 9, 10, 28, 30.

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel({ cookie_window_days: 45 });
});

const pageOf = (shortLink: string) => `https://shop.example/landing?utm_source=x&aff=${shortLink}#top`;
const click = (body: object, headers?: Record<string, string>) =>
	track('click', { affiliate_url: pageOf(funnel.shortLink), ...body }, undefined, headers);
/** The queue consumer records it within 10 s (decision 23). */
const rowOf = (clickId: unknown) =>
	vi.waitFor(
		async () => {
			const [row] = await rows('SELECT * FROM affiliate_click_events WHERE click_id = ?', clickId);
			if (!row) throw new Error(`The click ${String(clickId)} has no row yet`);
			return row;
		},
		{ timeout: 300_000, interval: 50 },
	);

describe('a click', () => {
	test('returns its id and the window of the program, and nothing else', async () => {
		const { status, headers, body } = await click({});
		expect(status).toBe(200);
		expect(headers.get('Content-Type')).toMatch(/^application\/json/);
		expect(body).toEqual({
			success: true,
			click_id: expect.stringMatching(/^cust_\d+_\d+$/),
			partner_code: funnel.shortLink,
			cookie_window_days: 45,
		});
	});

	test('has the default window of 60 days', async () => {
		const { body } = await track('click', { affiliate_url: pageOf((await aFunnel()).shortLink) });
		expect(body['cookie_window_days']).toBe(60);
	});

	test('gets the same answer under the legacy path', async () => {
		const { status, body } = await api('/api/tracking/click', { body: { affiliate_url: pageOf(funnel.shortLink) } });
		expect([status, body]).toEqual([
			200,
			{ success: true, click_id: expect.stringMatching(/^cust_\d+_\d+$/), partner_code: funnel.shortLink, cookie_window_days: 45 },
		]);
	});

	test("is reported within 10 s with its page and country, on the program's day", async () => {
		const far = await aFunnel({ time_zone: 'Pacific/Kiritimati' });
		const page = {
			page_url: 'https://shop.example/landing',
			page_title: 'Landing',
			referrer_url: 'https://blog.example/post',
			session_id: 's-1',
			user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
			language: 'de-DE',
			timezone: 'Europe/Berlin',
		};
		const { body } = await track('click', { affiliate_url: pageOf(far.shortLink), ...page }, undefined, { 'CF-IPCountry': 'DE' });
		const row = await rowOf(body['click_id']);
		expect(row).toEqual({
			...page,
			id: expect.any(Number),
			click_id: body['click_id'],
			program_id: far.id,
			referral_link_id: await linkIdOf(far),
			is_test: 0,
			is_bot: 0,
			clicked_at: parseClickId(String(body['click_id']))?.clickedAt,
			click_day: new Date(Number(row['clicked_at']) + 14 * 3_600_000).toISOString().slice(0, 10),
			country: 'DE',
			source: 'blog.example',
			sub_id: null,
		});
	});

	test('encodes its link and time in its id', async () => {
		const before = Date.now();
		const claimed = parseClickId(await aClick(funnel));
		expect(claimed).toMatchObject({ referralLinkId: await linkIdOf(funnel), isTest: false });
		expect(claimed?.clickedAt).toBeGreaterThanOrEqual(before);
		expect(claimed?.clickedAt).toBeLessThanOrEqual(Date.now());
	});

	test('has a unique id, even if 200 arrive at once on one link', async () => {
		const ids = await Promise.all(Array.from({ length: 200 }, () => aClick(funnel)));
		expect(new Set(ids).size).toBe(200);
	});

	test('may be sent as text/plain or without a type, so that sendBeacon works', async () => {
		const body = JSON.stringify({ affiliate_url: pageOf(funnel.shortLink) });
		for (const type of ['text/plain;charset=UTF-8', 'text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream'])
			expect((await api('/api/v1/track/click', { body, headers: { 'Content-Type': type } })).status).toBe(200);
		const untyped = await exports.default.fetch('http://service.test/api/v1/track/click', {
			method: 'POST',
			body: new TextEncoder().encode(body),
		});
		expect(untyped.status).toBe(200);
	});

	test.each([
		['with a port and a path', (aff: string) => `http://localhost:3000/a/b?aff=${aff}`],
		['with non-ASCII letters', (aff: string) => `https://bücher.example/ü?x=ß&aff=${aff}`],
		['with blanks around it', (aff: string) => `  https://shop.example/?aff=${aff}\n`],
		['with a percent-encoded aff', (aff: string) => `https://shop.example/?aff=${aff.replace('-', '%2D')}`],
		['with two affs, the first of which counts', (aff: string) => `https://shop.example/?aff=${aff}&aff=other`],
	])('is attributed by a URL %s', async (_what, urlOf) => {
		expect((await track('click', { affiliate_url: urlOf(funnel.shortLink) })).status).toBe(200);
	});
});

describe('refusals of section 7', () => {
	const refusals: [body: unknown, message: string][] = [
		[{}, 'affiliate_url is required'],
		[{ affiliate_url: null }, 'affiliate_url is required'],
		[{ affiliate_url: '' }, 'affiliate_url is required'],
		[{ affiliate_url: '  ' }, 'affiliate_url is required'],
		[{ affiliate_url: 42 }, 'Invalid affiliate_url'],
		[{ affiliate_url: ['https://shop.example/?aff=x'] }, 'Invalid affiliate_url'],
		[{ affiliate_url: 'shop.example/?aff=x' }, 'Invalid affiliate_url'],
		[{ affiliate_url: '/landing?aff=x' }, 'Invalid affiliate_url'],
		[{ affiliate_url: 'https://' }, 'Invalid affiliate_url'],
		[{ affiliate_url: 'javascript:alert(1)?aff=x' }, 'Invalid affiliate_url'],
		[{ affiliate_url: `https://shop.example/?aff=x&y=${'y'.repeat(5000)}` }, 'Invalid affiliate_url'],
		[{ affiliate_url: 'https://shop.example/' }, 'No aff parameter found in affiliate_url'],
		[{ affiliate_url: 'https://shop.example/?aff=' }, 'No aff parameter found in affiliate_url'],
		[{ affiliate_url: 'https://shop.example/?AFF=x' }, 'No aff parameter found in affiliate_url'],
		[{ affiliate_url: 'https://shop.example/#?aff=x' }, 'No aff parameter found in affiliate_url'],
		[{ affiliate_url: 'https://shop.example/?aff=nobody-has-this' }, 'Referral link not found'],
		[{ affiliate_url: 'https://shop.example/?aff=a%00b' }, 'Referral link not found'],
		[{ affiliate_url: 'https://shop.example/?aff=%ED%A0%80' }, 'Referral link not found'],
		[{ affiliate_url: 'https://shop.example/?aff=\ud800' }, 'Referral link not found'],
		[{ affiliate_url: `https://shop.example/?aff=${'x'.repeat(3000)}` }, 'Referral link not found'],
		[{ affiliate_url: "https://shop.example/?aff=' OR 1=1 --" }, 'Referral link not found'],
	];

	describe.each(['/api/v1/track/click', '/api/tracking/click'])('%s', (path) => {
		test.each(refusals)('%j: %s', async (body, message) => {
			const answer = await api(path, { body });
			expect([answer.status, answer.body]).toEqual([400, { error: message }]);
		});
	});

	test.each([
		[{ additional_data: 'x' }, 'additional_data must be an object'],
		[{ additional_data: [] }, 'additional_data must be an object'],
		[{ additional_data: { test_mode: 'true' } }, 'additional_data.test_mode must be true or false'],
		[{ additional_data: { test_mode: 1 } }, 'additional_data.test_mode must be true or false'],
	])('%j: %s', async (body, message) => {
		expect(await click(body)).toMatchObject({ status: 400, body: { error: message } });
	});

	test('link names are case-sensitive', async () => {
		const owner = await sharedOwner();
		const shortLink = unique('CaseD');
		await api(`/api/v1/programs/${funnel.id}/links`, { token: owner.token, body: { partner_id: funnel.partnerId, short_link: shortLink } });
		expect((await track('click', { affiliate_url: pageOf(shortLink) })).status).toBe(200);
		expect((await track('click', { affiliate_url: pageOf(shortLink.toLowerCase()) })).body).toEqual({ error: 'Referral link not found' });
	});

	test.each([
		['archived', 'Referral link not found'],
		['suspended', 'Referral link not found'],
		['inactive', 'Referral link not found'],
		['ended', 'Invalid referral link configuration'],
	])('a link that was valid a moment ago and is %s now: %s', async (what, message) => {
		const other = await aFunnel();
		await aClick(other);
		const path = `/api/v1/programs/${other.id}`;
		const { token } = other.owner;
		const changes = {
			archived: { path: `${path}/links/${await linkIdOf(other)}`, method: 'PATCH', body: { archived: true } },
			suspended: { path: `${path}/partners/${other.partnerId}`, method: 'PATCH', body: { status: 'suspended' } },
			inactive: { path, method: 'PATCH', body: { active: false } },
			ended: { path: `${path}/partners/${other.partnerId}`, method: 'DELETE' },
		}[what];
		if (!changes) throw new Error(what);
		expect((await api(changes.path, { ...changes, token })).status).toBe(200);
		expect(await track('click', { affiliate_url: pageOf(other.shortLink) })).toMatchObject({ status: 400, body: { error: message } });
	});

	test('a link that never had a program or partner: Invalid referral link configuration', async () => {
		const shortLink = unique('bare');
		await env.DB.prepare('INSERT INTO referral_links (short_link, created_at) VALUES (?, 0)').bind(shortLink).run();
		expect(await track('click', { affiliate_url: pageOf(shortLink) })).toMatchObject({
			status: 400,
			body: { error: 'Invalid referral link configuration' },
		});
	});

	test('a link that did not exist a moment ago works as soon as it is created', async () => {
		const owner = await sharedOwner();
		const shortLink = unique('soon');
		expect((await track('click', { affiliate_url: pageOf(shortLink) })).status).toBe(400);
		await api(`/api/v1/programs/${funnel.id}/links`, { token: owner.token, body: { partner_id: funnel.partnerId, short_link: shortLink } });
		expect((await track('click', { affiliate_url: pageOf(shortLink) })).status).toBe(200);
	});
});

describe('a test click', () => {
	const testMode = { additional_data: { test_mode: true } };

	test('gets the answer of a real click, plus the record', async () => {
		const { status, body } = await click(testMode);
		expect([status, body]).toEqual([
			200,
			{
				success: true,
				click_id: expect.stringMatching(/^cust_\d+_\d+$/),
				partner_code: funnel.shortLink,
				cookie_window_days: 45,
				data: { eventId: expect.any(Number), programId: funnel.id, test_mode: true },
			},
		]);
		const data = body['data'];
		expect(await rows('SELECT id, is_test, program_id FROM affiliate_click_events WHERE click_id = ?', body['click_id'])).toEqual([
			{ id: typeof data === 'object' && data && 'eventId' in data ? data.eventId : undefined, is_test: 1, program_id: funnel.id },
		]);
		expect(parseClickId(String(body['click_id']))?.isTest).toBe(true);
	});

	test('keeps its id when it is sent again', async () => {
		const { body } = await click(testMode);
		expect((await click({ ...testMode, existing_click_id: body['click_id'] })).body['click_id']).toBe(body['click_id']);
	});

	test.each([{ test_mode: false }, { test_mode: null }, { test_mode: null, other: null }, {}, { other: 1 }, null])(
		'additional_data %j makes no test click',
		async (additional_data) => {
			expect((await click({ additional_data })).body).toEqual({
				success: true,
				click_id: expect.stringMatching(/^cust_\d+_\d+$/),
				partner_code: funnel.shortLink,
				cookie_window_days: 45,
			});
		},
	);
});
