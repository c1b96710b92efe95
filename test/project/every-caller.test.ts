import { beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../src/openapi/operation.ts';
import { OPERATIONS } from '../../src/openapi/operations.ts';
import { requestOf } from '../../testing/openapi/send-examples.ts';
import { BASE, type PreparedWorld, prepareWorld } from '../../testing/openapi/world.ts';
import { nodeBindings } from '../../testing/service/node-bindings.ts';
import { openService } from '../../testing/service/service.ts';

// Sends the document's examples for every route as each caller without access, with ids that exist. Each call is refused, returns no data
// and changes nothing.

const name = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`;

/** Callers without access get 403, or 404 for another partner's membership. */
const IS_MANAGEMENT =
	/^\/api\/v1\/(?:programs|workspaces)\/:id(?:$|\/)|^\/api\/tracking\/(?:performance|events)\/|^\/api\/v1\/service(?:$|\/)/;
const IS_PARTNERS = /^\/api\/v1\/(?:partner-programs\/:id|partner-accounts\/:partnerId)(?:$|\/)/;
const IS_OWN_THING = /^\/api\/v1\/(?:notifications|dead-letters)\/:id\//;
const MANAGEMENT = OPERATIONS.filter(({ path }) => IS_MANAGEMENT.test(path));
const PARTNERS = OPERATIONS.filter(({ path }) => IS_PARTNERS.test(path));
const OWN_THINGS = OPERATIONS.filter(({ path }) => IS_OWN_THING.test(path));

const FOREIGN = ['partner', 'another partner of the program', 'partner of another program', 'owner of another workspace'] as const;
type Who = (typeof FOREIGN)[number] | 'owner' | 'admin' | 'member' | 'nobody';

let world: PreparedWorld;
let tokens: Readonly<Record<Who, string | undefined>>;
let fellowship: number;
const db = () => world.service.db;

beforeAll(async () => {
	world = await prepareWorld(openService(nodeBindings()));
	const { owner, leaver, partner } = world.tokens;
	const elsewhere = await call('/api/v1/programs/3/partners', { name: 'Else', email: 'else@partner.example' }, leaver);
	const [admin, member] = [await invite('admin'), await invite('member')];
	const other = await accept(textOf(elsewhere, 'invitation_url'));
	const beside = await call('/api/v1/programs/1/partners', { name: 'Beside', email: 'beside@partner.example' }, owner);
	const fellow = await accept(textOf(beside, 'invitation_url'));
	fellowship = Number(beside['partner_program_id']);
	tokens = {
		partner,
		'another partner of the program': fellow,
		'partner of another program': other,
		'owner of another workspace': leaver,
		owner,
		admin,
		member,
		nobody: undefined,
	};
	// Data that partners may see, and data that they must not see.
	await call('/api/v1/programs/1', { keep_emails: true }, owner, 'PATCH');
	const secret = { customer_key: 'secret-key', customer_email: 'secret@customer.example', customer_name: 'Secret Person' };
	const { key } = world.tokens;
	await call('/api/v1/track/lead', { click_id: world.newClickIds[0], ...secret }, key);
	for (const transaction of ['secret-order-1', 'secret-order-2', 'secret-order-3']) {
		await call(
			'/api/v1/track/sale',
			{ transaction_id: transaction, amount_cents: 5_000, subscription_id: 'secret-subscription', ...secret },
			key,
		);
	}
	const refund = { refund_id: 'secret-refund', refund_reason: 'Too late' };
	await call('/api/v1/track/refund', { transaction_id: 'secret-order-1', refund_amount_cents: 1_000, ...refund }, key);
	await call('/api/v1/programs/1/payouts', { partner_ids: [1] }, owner);
	await call('/api/v1/track/refund', { transaction_id: 'secret-order-2', refund_reason: 'Broken' }, key);
	await world.service.tick();
	// Delivers the effects now, so that the first call does not.
	await world.service.deliverHeld();
});

/** The call must succeed. */
async function call(
	path: string,
	body: object,
	token: string,
	method: 'POST' | 'PATCH' = 'POST',
): Promise<Readonly<Record<string, unknown>>> {
	const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Mozilla/5.0', Authorization: `Bearer ${token}` };
	const response = await world.service.fetch(new Request(`${BASE}${path}`, { method, headers, body: JSON.stringify(body) }));
	const text = await response.text();
	if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
	const answer: { readonly data?: Readonly<Record<string, unknown>> } = JSON.parse(text);
	return answer.data ?? {};
}

async function accept(invitationUrl: string): Promise<string> {
	const answer = await call(
		`${new URL(invitationUrl).pathname}/accept`,
		{ name: 'Newcomer', password: 'a long enough password' },
		'nobody',
	);
	return textOf(answer, 'token');
}

async function invite(role: string): Promise<string> {
	const body = { email: `${role}@people.example`, role };
	return accept(textOf(await call('/api/v1/workspaces/1/members', body, world.tokens.owner), 'invitation_url'));
}

function textOf(answer: Readonly<Record<string, unknown>>, field: string): string {
	const value = answer[field];
	if (typeof value !== 'string') throw new Error(`The answer has no ${field}`);
	return value;
}

/** Everything stored, except when sessions were last used. */
async function stored(): Promise<Readonly<Record<string, string>>> {
	const { results } = await db()
		.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
		.all<{ name: string }>();
	const tables: Record<string, string> = {};
	for (const { name: table } of results) {
		const rows = (await db().prepare(`SELECT * FROM "${table}"`).all()).results;
		tables[table] = JSON.stringify(table === 'sessions' ? rows.map((row) => ({ ...row, last_used_at: null })) : rows);
	}
	return tables;
}

async function ask(operations: readonly Operation[], who: Who): Promise<Record<string, [status: number, fields: string[]]>> {
	const answers: Record<string, [number, string[]]> = {};
	for (const operation of operations) {
		const example = operation.examples.find(({ as = 'owner', status = 200 }) => status < 300 && (as === 'owner' || as === 'partner'));
		if (!example) continue;
		const response = await world.service.fetch(requestOf(world, operation, example, tokens[who]));
		const text = await response.text();
		answers[name(operation)] = [response.status, text === '' ? [] : Object.keys(JSON.parse(text))];
	}
	return answers;
}

function each(operations: readonly Operation[], status: number): Record<string, [number, string[]]> {
	return Object.fromEntries(operations.map((operation) => [name(operation), [status, ['error']]]));
}

const isFor = (role: string) => (operation: Operation) => operation.description.endsWith(` For ${role}.`);

describe.each<[who: Who, what: string, operations: readonly Operation[], status: number]>([
	...FOREIGN.map((who): [Who, string, readonly Operation[], number] => [who, 'a program and workspace', MANAGEMENT, 403]),
	['nobody', 'a program and workspace', MANAGEMENT, 401],
	['nobody', "a partner's own", PARTNERS, 401],
	['nobody', 'a notification or dead letter', OWN_THINGS, 401],
	['another partner of the program', "a partner's own", PARTNERS, 404],
	['partner of another program', "a partner's own", PARTNERS, 404],
	['owner of another workspace', "a partner's own", PARTNERS, 404],
	['owner', "a partner's own", PARTNERS, 404],
	['admin', "a partner's own", PARTNERS, 404],
	['member', "a partner's own", PARTNERS, 404],
	['partner', 'a notification or dead letter', OWN_THINGS, 404],
	['another partner of the program', 'a notification or dead letter', OWN_THINGS, 404],
	['partner of another program', 'a notification or dead letter', OWN_THINGS, 404],
	['admin', 'what is for owners', MANAGEMENT.filter(isFor('owners')), 403],
	[
		'member',
		'what is for owners and admins',
		MANAGEMENT.filter((route) => isFor('owners')(route) || isFor('owners and admins')(route)),
		403,
	],
])('%s calls routes for %s', (who, _what, operations, status) => {
	test(`gets ${status} and no data from each route, and changes nothing`, async () => {
		const before = await stored();
		const answers = await ask(operations, who);
		expect(Object.keys(answers).length).toBeGreaterThan(operations.length - 3);
		expect(answers).toEqual(
			each(
				operations.filter((operation) => name(operation) in answers),
				status,
			),
		);
		expect(await stored()).toEqual(before);
	});
});

test('another partner of the program finds and changes only their own things through their membership', async () => {
	const before = await stored();
	const told: [string, number, string][] = [];
	for (const operation of PARTNERS.filter(({ path }) => /^\/api\/v1\/partner-programs\/:id\/.*:\w+Id/.test(path))) {
		const example = operation.examples.find(({ status = 200 }) => status < 300);
		if (!example) continue;
		const asked = { ...example, params: { ...example.params, id: fellowship } };
		const response = await world.service.fetch(requestOf(world, operation, asked, tokens['another partner of the program']));
		told.push([name(operation), response.status, Object.keys(JSON.parse(await response.text())).join()]);
	}
	expect(told.length).toBeGreaterThan(3);
	expect(told).toEqual(told.map(([route]) => [route, 404, 'error']));
	expect(await stored()).toEqual(before);
});

test('every route for signed-in people is in these lists or concerns the caller', () => {
	const others = OPERATIONS.filter(
		({ caller, path }) => caller === 'session' && ![IS_MANAGEMENT, IS_PARTNERS, IS_OWN_THING].some((is) => is.test(path)),
	);
	expect(others.map(name).filter((route) => !ABOUT_THE_CALLER.some((path) => route.includes(path)))).toEqual([]);
});

/** These have their own tests. */
const ABOUT_THE_CALLER = [
	'/api/v1/auth/',
	'/api/v1/me',
	'/api/v1/notifications',
	'POST /api/v1/workspaces',
	'/api/v1/dead-letters',
	'/api/v1/programs',
];

describe('a partner', () => {
	const READS = [
		// Payout details belong to the partner, and contain no customer data.
		...PARTNERS.filter(({ method, path }) => method === 'get' && path.startsWith('/api/v1/partner-programs/')),
		...OPERATIONS.filter(({ id }) => id === 'readMe' || id === 'listNotifications'),
	];
	const OF_THE_CUSTOMER = [
		'SELECT customer_key AS secret FROM customers',
		'SELECT email FROM customers',
		'SELECT email_hash FROM customers',
		'SELECT click_id FROM customers',
		'SELECT click_id FROM affiliate_click_events',
		'SELECT processor_event_id FROM affiliate_sale_events',
		'SELECT subscription_id FROM affiliate_sale_events',
		'SELECT refund_id FROM refund_events',
	];
	const WORDS = ['secret', 'user-1001', 'order-', '@customer.example'];

	async function secrets(): Promise<string[]> {
		const found = await Promise.all(OF_THE_CUSTOMER.map((query) => db().prepare(query).raw<(string | null)[]>()));
		const known = found.flat(2).filter((text) => text !== null && text.length > 3);
		return [...WORDS, ...known.flatMap((text) => text ?? [])];
	}

	test.each(READS.map((operation) => [name(operation), operation] as const))('sees no customer data in %s', async (_name, operation) => {
		const known = await secrets();
		expect(known.length).toBeGreaterThan(15);
		const numbers = { commissionId: [1, 2, 3, 7, 8, 9, 10], payoutId: [1, 2] };
		const ids = /:(commissionId|payoutId)$/.exec(operation.path)?.[1];
		const asked = ids === 'commissionId' || ids === 'payoutId' ? numbers[ids].map((id) => ({ [ids]: id })) : [{}];
		let told = 0;
		for (const params of asked) {
			for (const type of ['application/json', 'text/csv']) {
				const example = { name: 'read', summary: '', params: { id: 1, ...params }, headers: { Accept: type } };
				const response = await world.service.fetch(requestOf(world, operation, example, tokens.partner));
				const text = await response.text();
				if (response.ok) told += 1;
				expect(known.filter((secret) => text.includes(secret))).toEqual([]);
			}
		}
		expect(told).toBeGreaterThan(1);
	});

	test('has data to see', async () => {
		const paths = ['commissions', 'payouts', 'links', 'performance'];
		for (const path of paths) {
			const request = new Request(`${BASE}/api/v1/partner-programs/1/${path}`, { headers: { Authorization: `Bearer ${tokens.partner}` } });
			expect((await (await world.service.fetch(request)).text()).length).toBeGreaterThan(500);
		}
	});
});
