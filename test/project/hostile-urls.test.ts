import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openD1, openSqlite, Statements } from '../../testing/d1/look-alike.ts';
import { nodeBindings } from '../../testing/service/node-bindings.ts';
import { openService } from '../../testing/service/service.ts';
import { type Hostile, named, type Route, statusBy, STORED, type Target } from '../support/hostile-calls.ts';
import { expectHonestQuery, expectNoSuchId, IDS, QUERIES, READS, someOf, WITH_IDS } from '../support/hostile-urls.ts';

// Decision 30: every route meets ids and queries that no honest client sends: all of them if thorough, else some, others with each
// commit. What else is malformed: test/spec/.

const sqlite = openSqlite();
const service = openService(nodeBindings(openD1(new Statements(sqlite))));

let target: Target;
beforeAll(async () => {
	vi.spyOn(console, 'warn').mockReturnValue();
	target = await aTarget();
});

const statusOf = (route: Route) => (call: Hostile) => statusBy((request) => service.fetch(request), target, route, call);
const stored = () => sqlite.prepare(STORED).get(target.owner.workspaceId);

/** A program with a person of its own, who is also its partner. */
async function aTarget(): Promise<Target> {
	const person = { email: 'ada@shop.example', password: 'correct horse battery', name: 'Ada Owner' };
	const { token, workspace } = await post<{ token: string; workspace: { id: number } }>('/auth/sign-up', person);
	const { id, api_token } = await post<{ id: number; api_token: string }>('/programs', { name: 'Shop' }, token);
	const partner = { name: 'Pat Partner', email: 'pat@people.example' };
	const made = await post<{ id: number; partner_program_id: number }>(`/programs/${id}/partners`, partner, token);
	const { invitation_url } = await post<{ invitation_url: string }>(`/programs/${id}/partners/${made.id}/invitation`, undefined, token);
	await post(`/invitations/${invitation_url.split('/').at(-1)}/accept`, undefined, token);
	return {
		id,
		apiToken: api_token,
		partnerId: made.id,
		partnerProgramId: made.partner_program_id,
		owner: { token, workspaceId: workspace.id },
	};
}

/** A call that has to succeed: the `data` of its answer. */
async function post<Data>(path: string, body?: object, token?: string): Promise<Data> {
	const headers = { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
	const sent = { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) };
	const response = await service.fetch(new Request(`http://service.test/api/v1${path}`, sent));
	expect(response.status, path).toBe(201);
	const { data }: { data: Data } = await response.json();
	return data;
}

describe('a path whose id is anything', () => {
	test.each(named(WITH_IDS))('%s', async (_name, route) => {
		const before = stored();
		for (const id of someOf(IDS, 6)) await expectNoSuchId(statusOf(route), route, id);
		expect(stored()).toEqual(before);
	});
});

describe('a query that is anything', () => {
	test.each(named(READS))('%s', async (_name, route) => {
		for (const query of someOf(QUERIES, 10)) await expectHonestQuery(statusOf(route), route, query);
	});
});
