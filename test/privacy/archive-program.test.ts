import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { ARCHIVE_RECORDS } from '../../src/domain/reporting/archive-position.ts';
import { aCoupon } from '../support/coupons.ts';
import { tick } from '../support/deliver.ts';
import { aClick, aSale, rows, track } from '../support/funnel.ts';
import { aStripeFunnel, type StripeFunnel } from '../support/inbox.ts';
import { aLeadAlone } from '../support/report.ts';
import { actionsIn } from '../support/members.ts';
import { aStoredPerson, type StoredPerson, tracesOf } from '../support/person.ts';
import { aMember, api, aProgram, type Owner, signUp } from '../support/world.ts';

type Line = Readonly<Record<string, unknown>>;

const TABLES: Readonly<Record<string, string>> = {
	click: 'affiliate_click_events',
	customer: 'customers',
	lead: 'affiliate_lead_events',
	sale: 'affiliate_sale_events',
	refund: 'refund_events',
	commission: 'commissions',
	payout: 'payouts',
	refusal: 'refusals',
	notification: 'notifications',
	membership: 'partner_programs',
	link: 'referral_links',
	coupon: 'coupons',
};

let funnel: StripeFunnel;
let owner: Owner;
let kept: StoredPerson;
let erased: StoredPerson;

beforeAll(async () => {
	funnel = await aStripeFunnel({ keep_emails: true });
	({ owner } = funnel);
	[kept, erased] = [await aStoredPerson(funnel), await aStoredPerson(funnel)];
	await aClick(funnel);
	await aCoupon(funnel);
	for (let count = 0; count < 4; count += 1) await aLeadAlone(funnel);
	await aSale(funnel);
	await env.DB.prepare('UPDATE partners SET user_id = ? WHERE id = ?').bind(owner.userId, funnel.partnerId).run();
	await env.DB.prepare("INSERT INTO payout_details VALUES (?, 'paypal', 'p***@mail.example', 'the sealed account', 0)")
		.bind(funnel.partnerId)
		.run();
	await env.DB.prepare(
		"INSERT INTO partner_applications (op_id, program_id, name, email, terms_version, status, created_at) VALUES ('op', ?, 'Alba', 'alba@blog.example', 0, 'open', 0)",
	)
		.bind(funnel.id)
		.run();
	// Another program's rows lie between those of this one.
	await aStoredPerson(await aStripeFunnel());
	await aStoredPerson(funnel);
	await api(`${funnel.path}/customers/erase`, { token: owner.token, body: { customer_key: erased.customerKey } });
	await tick();
	await tick();
}, 60_000);

async function part(query = ''): Promise<{ readonly text: string; readonly lines: Line[]; readonly next: string | null }> {
	const { status, text, headers } = await api(`${funnel.path}/archive${query}`, { token: owner.token });
	expect([status, headers.get('Content-Type'), headers.get('Content-Disposition')]).toEqual([
		200,
		'application/x-ndjson',
		`attachment; filename="program-${funnel.id}.ndjson"`,
	]);
	const lines = text
		.trimEnd()
		.split('\n')
		.map((line): Line => JSON.parse(line));
	const end = lines.at(-1);
	expect([end?.['record'], text.endsWith('}\n')]).toEqual(['end', true]);
	return { text, lines: lines.slice(0, -1), next: typeof end?.['next_cursor'] === 'string' ? end['next_cursor'] : null };
}

describe('an archive', () => {
	test('has every row of the program once, and none of another program', async () => {
		const { lines, next } = await part();
		expect(next).toBeNull();
		expect([...new Set(lines.map(({ record }) => record))]).toEqual([...ARCHIVE_RECORDS]);
		const received: Record<string, unknown[]> = {};
		const stored: Record<string, unknown[]> = {};
		for (const [record, table] of Object.entries(TABLES)) {
			received[record] = lines
				.filter((line) => line['record'] === record)
				.map(({ id }) => id)
				.toSorted(byNumber);
			stored[record] = (await rows<{ id: number }>(`SELECT id FROM ${table} WHERE program_id = ?`, funnel.id))
				.map(({ id }) => id)
				.toSorted(byNumber);
		}
		expect(received).toEqual(stored);
		const entries = await rows<{ id: number }>('SELECT id FROM ledger_entries WHERE partner_program_id = ?', funnel.partnerProgramId);
		expect(lines.filter(({ record }) => record === 'ledger_entry').map(({ id }) => id)).toEqual(entries.map(({ id }) => id));
	});

	test('contains the stored data of a customer, a sale and a partner', async () => {
		const { lines } = await part();
		expect(lines.find(({ customer_key: key }) => key === kept.customerKey)).toMatchObject({ email: kept.email, has_email_hash: true });
		expect(lines.find(({ transaction_id: id }) => id === `${kept.customerKey}-order-1`)).toMatchObject({
			record: 'sale',
			amount_cents: 10_000,
			line_items: [{ name: `Mug for ${kept.name}`, email: kept.email }],
			created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
		});
		expect(lines.find(({ record }) => record === 'payout_details')).toEqual({
			record: 'payout_details',
			partner_id: funnel.partnerId,
			method: 'paypal',
			summary: 'p***@mail.example',
			changed_at: '1970-01-01T00:00:00.000Z',
		});
	});

	test('has nothing of erased people', async () => {
		const { text } = await part();
		expect(tracesOf(kept).filter((trace) => text.includes(trace)).length).toBeGreaterThan(4);
		expect(tracesOf(erased).filter((trace) => text.toLowerCase().includes(trace.toLowerCase()))).toEqual([]);
	});

	test('has no secret: no key, hash or encrypted text', async () => {
		const { text, lines } = await part();
		const secrets = await rows<Record<string, string>>(
			`SELECT token_hash AS secret FROM program_keys WHERE program_id = ?1 UNION SELECT sealed_token FROM program_keys WHERE program_id = ?1
			UNION SELECT email_hash FROM customers WHERE program_id = ?1 AND email_hash IS NOT NULL UNION SELECT sealed FROM payout_details`,
			funnel.id,
		);
		expect(secrets.length).toBeGreaterThan(4);
		expect([funnel.apiToken, ...secrets.map((row) => String(row['secret']))].filter((secret) => text.includes(secret))).toEqual([]);
		const columns = new Set(lines.flatMap((line) => Object.keys(line)));
		expect([...columns].filter((name) => /hash|sealed|secret|token|op_id|fingerprint|revision/.test(name))).toEqual(['has_email_hash']);
	});

	test.each([1, 3, 7])('in parts of %i rows is complete', async (limit) => {
		const whole = await part();
		const found: Line[] = [];
		let { lines, next } = await part(`?limit=${limit}`);
		for (let count = 0; count < whole.lines.length + 30; count += 1) {
			expect(lines.length).toBeLessThanOrEqual(limit);
			found.push(...lines);
			if (next === null) break;
			({ lines, next } = await part(`?limit=${limit}&cursor=${next}`));
		}
		expect(next).toBeNull();
		expect(found).toEqual(whole.lines);
	});

	test('skips rows of other programs until it finds its own', async () => {
		const { id } = (await rows<{ id: number }>('SELECT max(id) AS id FROM customers'))[0] ?? { id: 0 };
		const far = id + 50_000;
		await env.DB.prepare("INSERT INTO customers (id, program_id, customer_key, status, created_at) VALUES (?, ?, 'far', 'lead', 0)")
			.bind(far, funnel.id)
			.run();
		const { lines } = await part();
		expect(lines.filter(({ customer_key: key }) => key === 'far')).toEqual([expect.objectContaining({ record: 'customer', id: far })]);
	});

	test('is in the audit log, with each part', async () => {
		await part('?limit=1');
		await part('?limit=1&cursor=customer..0');
		const entries = (await actionsIn(owner)).filter(([action]) => action === 'program.export');
		expect(entries.slice(-2).map(([, userId, detail]) => [userId, detail])).toEqual([
			[owner.userId, {}],
			[owner.userId, { from: 'customer' }],
		]);
	});
});

test.each([
	['cursor=1', 'cursor must be a next_cursor of this list'],
	['cursor=nothing..1', 'cursor must be a next_cursor of this list'],
	['limit=0', 'limit must be an integer from 1 to 5000'],
	['since=1', 'Unknown query parameter: since'],
])('?%s is answered 400: %s', async (query, error) => {
	const answer = await api(`${funnel.path}/archive?${query}`, { token: owner.token });
	expect([answer.status, answer.body.error]).toEqual([400, error]);
});

test.each([
	['nobody', 401],
	['a member', 403],
	['an admin', 403],
	['an owner', 200],
	['a foreign owner', 403],
] as const)('%s is answered %i', async (who, expected) => {
	const stranger = await signUp();
	await aProgram(stranger);
	const tokens = {
		nobody: {},
		'a member': { token: (await aMember(owner, 'member')).token },
		'an admin': { token: (await aMember(owner, 'admin')).token },
		'an owner': { token: owner.token },
		'a foreign owner': { token: stranger.token },
	};
	const answer = await api(`${funnel.path}/archive`, tokens[who]);
	expect([answer.status, answer.text.includes(kept.customerKey)]).toEqual([expected, expected === 200]);
});

test("everything that an erase searches for is in the person's export", async () => {
	const refused = { customer_key: kept.customerKey, transaction_id: 'refused-once', amount_cents: -1 };
	expect((await track('sale', refused, funnel.apiToken)).status).toBe(400);
	await tick();
	const { text, body } = await api<Record<string, Line[]>>(`${funnel.path}/customers/export`, {
		token: owner.token,
		body: { customer_key: kept.customerKey },
	});
	expect(tracesOf(kept).filter((trace) => !text.includes(trace))).toEqual([]);
	expect(Object.fromEntries(Object.entries(body.data).map(([name, found]) => [name, found.length > 0]))).toEqual({
		customers: true,
		clicks: true,
		leads: true,
		sales: true,
		commissions: true,
		refunds: true,
		refusals: true,
		subscriptions: true,
		processor_events: true,
		dead_letters: true,
		notifications: true,
	});
	expect(text).toContain('refused-once');
	expect(tracesOf(erased).filter((trace) => text.includes(trace))).toEqual([]);
});

function byNumber(a: unknown, b: unknown): number {
	return Number(a) - Number(b);
}
