import { hashCheaply } from '../testing/cheap-hashes.ts';
import { nodeBindings } from '../testing/service/node-bindings.ts';
import { openService } from '../testing/service/service.ts';
import { BASE, type PreparedWorld, prepareWorld } from '../testing/openapi/world.ts';
import { openD1, openSqlite, Statements } from '../testing/d1/look-alike.ts';
import { eachLimit } from '../testing/limits.ts';
import { openContext } from '../src/context.ts';
import { BROWSER_SCRIPTS } from '../src/http/browser-scripts.ts';
import type { Credentials } from './requests.ts';
import type { Known } from './values.ts';

// The service in this process, with the data of the document's examples. It can be reset.

export interface TargetWorld {
	readonly fetch: (request: Request) => Promise<Response>;
	readonly credentials: Credentials;
	readonly known: Known;
	/** Undoes everything done since the last reset. */
	readonly reset: () => void;
	/** Whether the next call exceeds every rate limit. */
	readonly limit: { isReached: boolean };
}

export async function openTargetWorld(): Promise<TargetWorld> {
	hashCheaply();
	const sqlite = openSqlite();
	const limit = { isReached: false };
	const limiter: RateLimit = { limit: () => Promise.resolve({ success: !limit.isReached }) };
	const bindings = { ...nodeBindings(openD1(new Statements(sqlite))), ...eachLimit(limiter) };
	const service = openService(bindings);
	const world = await prepareWorld(service);
	const member = await addMember(world, (userId) => {
		sqlite.prepare("INSERT INTO members (workspace_id, user_id, role, created_at) VALUES (1, ?, 'member', 0)").run(userId);
	});
	await addLinkToNowhere(world);
	const { links, origins, hostOwners, timeZones } = openContext(bindings, { waitUntil() {} });
	sqlite.exec('BEGIN');
	return {
		fetch: service.fetch,
		credentials: { key: world.tokens.key, session: world.tokens.owner, others: [world.tokens.leaver, member] },
		known: knownOf(world),
		limit,
		reset() {
			sqlite.exec('ROLLBACK; BEGIN');
			// The crons run only at the start, so on a slow machine the health check would soon report them as late.
			sqlite.prepare('UPDATE cron_runs SET ran_at = ?').run(Date.now());
			links.clear();
			origins.clear();
			hostOwners.clear();
			timeZones.clear();
		},
	};
}

/** A member, who may read but not write. */
async function addMember({ service }: PreparedWorld, insert: (userId: number) => void): Promise<string> {
	const body = JSON.stringify({ email: 'member@people.example', password: 'correct horse battery', name: 'Mo' });
	const response = await service.fetch(new Request(`${BASE}/api/v1/auth/sign-up`, { method: 'POST', body }));
	const { data }: { data: { token: string; user: { id: number } } } = JSON.parse(await response.text());
	insert(data.user.id);
	return data.token;
}

/** Adds a link to a program without a domain. */
async function addLinkToNowhere({ service, tokens }: PreparedWorld): Promise<void> {
	const body = JSON.stringify({ name: 'Nowhere', email: 'nowhere@partner.example', short_link: 'nowhere' });
	const headers = { Authorization: `Bearer ${tokens.leaver}` };
	const response = await service.fetch(new Request(`${BASE}/api/v1/programs/3/partners`, { method: 'POST', headers, body }));
	if (!response.ok) throw new Error(`No link to nowhere: ${response.status} ${await response.text()}`);
}

function knownOf({ clickId, newClickIds, resetToken }: PreparedWorld): Known {
	const orders = [1001, 1002, 1003, 1004, 1005, 1006, 1007].map((number) => `order-${number}`);
	return {
		affiliate_url: [
			'https://shop.example/?aff=pat',
			'https://shop.example/?aff=quinn',
			'https://shop.example/?aff=nobody',
			'https://shop.example/',
		],
		click_id: [clickId, ...newClickIds, 'cust_1_1'],
		tracker_click_id: [clickId, ...newClickIds],
		existing_click_id: [clickId, 'cust_1_1'],
		customer_key: ['user-1001', 'user-1002'],
		transaction_id: orders,
		refund_id: ['refund-1', 'refund-2'],
		subscription_id: ['sub-1'],
		product_id: ['gift-card', 'sticker', 'pro-plan'],
		email: ['ada@shop.example', 'leaver@people.example', 'pat@partner.example'],
		password: ['correct horse battery', 'a wrong password'],
		old_password: ['correct horse battery', 'a wrong password'],
		setup_token: ['setup-token-of-the-examples'],
		workspace_id: [1, 2],
		programId: [1, 1, 1, 2, 3],
		partnerId: [1, 2, 3],
		partner_id: [1, 2, 3],
		'partner_ids[]': [1, 2, 3],
		linkId: [1, 2, 3, 4, 5],
		ruleId: [1, 2, 3, 4, 5],
		'commission_ids[]': [1, 2, 3, 4, 5, 6, 7],
		notificationId: [1, 8, 9, 10],
		up_to_id: [1, 10],
		deadLetterId: [1, 2],
		sessionId: [1, 2, 3],
		token: [resetToken],
		eventId: [1],
		event_id: ['evt_customer'],
		webhook_secret: ['whsec_0123456789abcdef0123456789abcdef'],
		'webhook_secrets[]': ['whsec_0123456789abcdef0123456789abcdef', 'whsec_aaaabbbbccccddddeeeeffff00001111'],
		short_link: ['pat', 'pat-summer', 'quinn', 'nowhere'],
		cookie_domain: ['shop.example', 'www.shop.example', 'elsewhere.example'],
		v: [BROWSER_SCRIPTS['tracker.js'].version],
		'If-None-Match': Object.values(BROWSER_SCRIPTS).map(({ version }) => `W/"${version}"`),
		'X-Forwarded-Host': ['shop.example', 'go.shop.example:443, cache.example', 'elsewhere.example'],
		currency: ['USD', 'eur', 'JPY'],
		cursor: ['1', '5', '1795000000000.sale.1'],
	};
}
