import { createHash, scryptSync } from 'node:crypto';
import { env, exports } from 'cloudflare:workers';
import { expectConformance } from './conformance.ts';

// Each test creates its own data under unique names, so tests can share one database.

export interface Answer<Data> {
	readonly status: number;
	readonly headers: Headers;
	/** The body as received. */
	readonly text: string;
	/** Only the fields of this response exist. */
	readonly body: {
		readonly success: true;
		readonly data: Data;
		readonly meta: {
			readonly next_cursor: string | null;
			readonly previous_cursor: string | null;
			readonly total: number;
			readonly total_is_more: boolean;
			readonly offset: number | null;
		};
		readonly error: string;
	};
}

export interface Call {
	readonly method?: string;
	readonly token?: string;
	/** Sent as JSON; a string is sent unchanged. */
	readonly body?: unknown;
	readonly headers?: Record<string, string>;
}

/** Compares the response with the OpenAPI document. `Data` is the expected type of `data`. */
export async function api<Data = unknown>(path: string, call: Call = {}): Promise<Answer<Data>> {
	const headers = new Headers(call.headers);
	if (call.token !== undefined) headers.set('Authorization', `Bearer ${call.token}`);
	const init: RequestInit = { method: call.method ?? (call.body === undefined ? 'GET' : 'POST'), headers };
	if (call.body !== undefined) {
		init.body = typeof call.body === 'string' ? call.body : JSON.stringify(call.body);
		if (!headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
	}
	const response = await exports.default.fetch(`http://service.test${path}`, init);
	const text = await response.text();
	expectConformance({ method: init.method ?? 'GET', path, status: response.status, headers: response.headers, text });
	const isJson = /\bjson\b/.test(response.headers.get('Content-Type') ?? '');
	return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

export interface Owner {
	readonly token: string;
	readonly userId: number;
	readonly workspaceId: number;
	readonly email: string;
	readonly password: string;
}

const PASSWORD = 'correct horse battery';
/** A stored hash contains its own cost, so a cheap one works. test/accounts/hashing.test.ts uses the real cost. */
const CHEAP_HASH = `scrypt$16$8$1$${'A'.repeat(24)}$${scryptSync(PASSWORD, Buffer.alloc(18), 32, { N: 16, r: 8, p: 1 }).toString('base64')}`;
const SESSION_MS = 30 * 86_400_000;

/** Inserts a person with a workspace by SQL, without an audit log entry and with a cheap password hash. */
export async function signUp(): Promise<Owner> {
	const [email, token] = [`${unique('owner')}@people.example`, `ses_${unique('token')}`];
	const now = Date.now();
	const tokenHash = createHash('sha256').update(token).digest('hex');
	const [person, workspace] = await env.DB.batch<{ id: number }>([
		env.DB.prepare("INSERT INTO users (email, name, password_hash, created_at) VALUES (?, 'Ada Owner', ?, ?) RETURNING id").bind(
			email,
			CHEAP_HASH,
			now,
		),
		env.DB.prepare("INSERT INTO workspaces (name, created_at) VALUES ('Ada Owner''s workspace', ?) RETURNING id").bind(now),
		env.DB.prepare(
			"INSERT INTO members (workspace_id, user_id, role, created_at) SELECT max(workspaces.id), users.id, 'owner', workspaces.created_at FROM workspaces, users WHERE email = ?",
		).bind(email),
		env.DB.prepare(
			'INSERT INTO sessions (token_hash, user_id, created_at, expires_at) SELECT ?1, id, ?3, ?4 FROM users WHERE email = ?2',
		).bind(tokenHash, email, now, now + SESSION_MS),
	]);
	const [user, own] = [person?.results[0], workspace?.results[0]];
	if (!user || !own) throw new Error('Nobody was signed up');
	return { token, userId: user.id, workspaceId: own.id, email, password: PASSWORD };
}

export async function signUpByRoute(): Promise<Owner> {
	const email = `${unique('owner')}@people.example`;
	const password = PASSWORD;
	const { status, text, body } = await api<{ token: string; user: { id: number }; workspace: { id: number } }>('/api/v1/auth/sign-up', {
		body: { email, password, name: 'Ada Owner' },
	});
	if (status !== 201) throw new Error(`Sign-up answered ${status}: ${text}`);
	return { token: body.data.token, userId: body.data.user.id, workspaceId: body.data.workspace.id, email, password };
}

export interface TestProgram {
	readonly id: number;
	readonly apiToken: string;
}

/** Overrides are fields of POST /api/v1/programs. */
export async function aProgram(owner: Pick<Owner, 'token'>, overrides: Record<string, unknown> = {}): Promise<TestProgram> {
	const { status, text, body } = await api<{ id: number; api_token: string }>('/api/v1/programs', {
		token: owner.token,
		body: { name: unique('Program'), ...overrides },
	});
	if (status !== 201) throw new Error(`Creating a program answered ${status}: ${text}`);
	return { id: body.data.id, apiToken: body.data.api_token };
}

export async function aMember(owner: Owner, role: 'owner' | 'admin' | 'member'): Promise<Owner> {
	const person = await signUp();
	await env.DB.prepare('INSERT INTO members (workspace_id, user_id, role, created_at) VALUES (?, ?, ?, ?)')
		.bind(owner.workspaceId, person.userId, role, Date.now())
		.run();
	return person;
}

/** Marks the address as verified, as opening an email does; test/accounts/proved-addresses.test.ts tests the route. */
export async function proveAddressOf({ userId }: Pick<Owner, 'userId'>): Promise<void> {
	await env.DB.prepare('UPDATE users SET email_proved_at = ? WHERE id = ?').bind(Date.now(), userId).run();
}

/** No other test uses this word. */
export function unique(prefix: string): string {
	// The random part starts with 0 and is a single word, so that prefix searches do not find it by accident.
	return `${prefix}-0${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;
}
