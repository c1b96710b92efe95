import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { anOutage } from '../support/bindings.ts';
import { aFunnel, type Funnel, sharedOwner } from '../support/funnel.ts';
import { askReport, readReportWith } from '../support/report.ts';
import { aMember, aProgram, type Owner, signUp } from '../support/world.ts';

// Contract, 4.7 and section 5, rule 5: 401 without a session, 404 without a program, 403 for non-members.

let owner: Owner;
beforeAll(async () => {
	owner = await sharedOwner();
});

describe('who may read it', () => {
	let funnel: Funnel;
	let stranger: Owner;
	beforeAll(async () => {
		[funnel, stranger] = await Promise.all([aFunnel(), signUp()]);
	});

	test('every active member of the workspace may', async () => {
		const own = await signUp();
		const program = await aProgram(own);
		for (const role of ['owner', 'admin', 'member'] as const) {
			const member = await aMember(own, role);
			expect((await askReport(program.id, '', member.token)).status).toBe(200);
			await env.DB.prepare('UPDATE members SET deactivated_at = 1 WHERE user_id = ? AND workspace_id = ?')
				.bind(member.userId, own.workspaceId)
				.run();
			expect((await askReport(program.id, '', member.token)).status).toBe(403);
		}
	});

	test.each(['', '?period=nonsense'])('nobody else may, not even with %j', async (query) => {
		const answers = await Promise.all([
			askReport(funnel.id, query),
			askReport(funnel.id, query, 'nonsense'),
			askReport(funnel.id, query, undefined, { Authorization: 'Bearer ' }),
			askReport(funnel.id, query, funnel.apiToken),
			askReport(funnel.id, query, stranger.token),
			askReport(999_999_999, query, stranger.token),
			askReport('nonsense', query),
		]);
		expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 403, 404, 401]);
		for (const { text } of answers) expect(JSON.parse(text)).toEqual({ error: expect.any(String) });
	});

	test.each(['nonsense', '0', '-1', '1.5', '1e3', '99999999999999999999'])('%s is not a program id', async (id) => {
		const { status, text } = await askReport(id, '', owner.token);
		expect([status, JSON.parse(text)]).toEqual([400, { error: 'programId in the path must be a positive integer' }]);
	});

	test('it is never cached', async () => {
		expect((await askReport(funnel.id, '', owner.token)).headers.get('Cache-Control')).toBe('no-store');
	});

	test('during an outage it answers 500', async () => {
		expect(await readReportWith({ DB: anOutage(env.DB) }, funnel, '')).toEqual({ error: expect.stringMatching(/^Internal error/) });
	});
});
