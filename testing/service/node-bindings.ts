import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBucket } from '../bucket.ts';
import { openD1, openSqlite, Statements } from '../d1/look-alike.ts';
import { eachLimit, UNLIMITED } from '../limits.ts';
import { ROOT } from '../root.ts';

const PUBLIC = join(ROOT, 'public');

/** Bindings for plain Node; by default, the database is empty. `openService` replaces the queues. */
export function nodeBindings(DB: D1Database = openD1(new Statements(openSqlite()))): Env {
	return {
		DB,
		CLICKS: noQueue,
		EFFECTS: noQueue,
		WEBHOOKS: noQueue,
		ASSETS: assets,
		CLICK_FILES: openBucket(),
		...eachLimit(UNLIMITED),
		SIGN_UP: 'open',
		LOG_EVENTS: 'off',
		PROCESSOR_PAYLOAD_DAYS: '30',
		DOMAIN_VERIFICATION: 'off',
		WEBHOOK_ADDRESSES: 'any',
		PUBLIC_URL: '',
		DATABASE_LIMIT_GB: '10',
		MAIL_FROM: '',
		MAIL: noMail,
		SECRETS: 'secret-of-the-examples-0001',
		SETUP_TOKEN: 'setup-token-of-the-examples',
	};
}

const refuse = () => Promise.reject(new Error('No queue here'));
const noQueue: Queue = { metrics: refuse, send: refuse, sendBatch: refuse };

const noMail: SendEmail = { send: () => Promise.reject(new Error('No mail here')) };

const files = new Map<string, Buffer<ArrayBuffer>>();

const assets: Fetcher = {
	fetch: async (input) => {
		const { pathname: requested } = new URL(input instanceof Request ? input.url : input);
		const pathname = requested.endsWith('/') ? `${requested}index.html` : requested;
		const path = [pathname, `${pathname}.html`].map((name) => join(PUBLIC, name)).find(existsSync);
		if (path === undefined) return new Response(null, { status: 404 });
		const file = files.get(path) ?? readFileSync(path);
		files.set(path, file);
		const type = path.endsWith('.html') ? 'text/html; charset=utf-8' : 'application/json';
		return new Response(file, { headers: { 'Content-Type': type, ETag: '"local"' } });
	},
	connect: () => {
		throw new Error('Assets take no connections');
	},
};
