import { env, exports } from 'cloudflare:workers';
import { expectConformance } from './conformance.ts';

// A test makes its own world: every name here is new, so tests share one database without meeting.

export interface Answer<Data> {
	readonly status: number;
	readonly headers: Headers;
	/** The body as it came. */
	readonly text: string;
	/** The body as JSON; only what the answer has is there. */
	readonly body: {
		readonly success: true;
		readonly data: Data;
		readonly meta: { readonly next_cursor: string | null };
		readonly error: string;
	};
}

export interface Call {
	readonly method?: string;
	readonly token?: string;
	/** Sent as JSON; a string as it is. */
	readonly body?: unknown;
	readonly headers?: Record<string, string>;
}

/** A call through the front door, whose answer is held against the OpenAPI document. `Data` is what the test expects under `data`. */
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
	const isJson = response.headers.get('Content-Type')?.includes('json') === true;
	return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

export interface Owner {
	readonly token: string;
	readonly userId: number;
	readonly workspaceId: number;
	readonly email: string;
	readonly password: string;
}

/** A person with a workspace. Costs a password hash (0.1 s): share one per file where the test allows it. */
export async function signUp(): Promise<Owner> {
	const email = `${unique('owner')}@people.example`;
	const password = 'correct horse battery';
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

/** A program of the owner. Overrides are fields of POST /api/v1/programs. */
export async function aProgram(owner: Pick<Owner, 'token'>, overrides: Record<string, unknown> = {}): Promise<TestProgram> {
	const { status, text, body } = await api<{ id: number; api_token: string }>('/api/v1/programs', {
		token: owner.token,
		body: { name: unique('Program'), ...overrides },
	});
	if (status !== 201) throw new Error(`Creating a program answered ${status}: ${text}`);
	return { id: body.data.id, apiToken: body.data.api_token };
}

/** A person of a role in the owner's workspace. */
export async function aMember(owner: Owner, role: 'owner' | 'admin' | 'member'): Promise<Owner> {
	const person = await signUp();
	await env.DB.prepare('INSERT INTO members (workspace_id, user_id, role, created_at) VALUES (?, ?, ?, ?)')
		.bind(owner.workspaceId, person.userId, role, Date.now())
		.run();
	return person;
}

/** A word that no other test uses. */
export function unique(prefix: string): string {
	return `${prefix}-${crypto.randomUUID().slice(0, 13)}`;
}
