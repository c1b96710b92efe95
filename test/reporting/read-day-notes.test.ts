import { beforeAll, describe, expect, test } from 'vitest';
import { aFunnel, aPaidSale, type Funnel } from '../support/funnel.ts';
import { aMember, api, signUp } from '../support/world.ts';

// GET /api/v1/programs/:id/day-notes (decision 70)

interface Note {
	readonly date: string;
	readonly type: string;
	readonly count: number;
}

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'UTC' }).format(Date.now());

let funnel: Funnel;
let rule: string;
beforeAll(async () => {
	// Entries of the owner that most funnels share were made by clocks that were set, so their ids deviate from the order of time.
	funnel = await aFunnel({}, await signUp());
	rule = `/api/v1/programs/${funnel.id}/commission-rules`;
});

const notesOf = (query = '', token = funnel.owner.token, programId = funnel.id) =>
	api<Note[]>(`/api/v1/programs/${programId}/day-notes${query}`, { token });

describe('the notes on days', () => {
	test('name the rules that were created, changed and archived', async () => {
		const { body: made } = await api<{ id: number }>(rule, {
			token: funnel.owner.token,
			body: { type: 'percent', percent: 5, product_id: 'noted' },
		});
		const path = `${rule}/${made.data?.id}`;
		for (const percent of [6, 7]) await api(path, { method: 'PATCH', token: funnel.owner.token, body: { percent } });
		await api(path, { method: 'DELETE', token: funnel.owner.token });
		const { status, body } = await notesOf();
		expect(status).toBe(200);
		expect(body).toMatchObject({ success: true, meta: { complete: true } });
		expect(body.data).toContainEqual({ date: today(), type: 'rule_changed', count: 2 });
		expect(body.data).toContainEqual({ date: today(), type: 'rule_archived', count: 1 });
		expect(body.data?.map(({ type }) => type)).toContain('rule_created');
	});

	test('count payouts that were made together once', async () => {
		await aPaidSale(funnel);
		expect((await notesOf('?period=7d')).body.data).toContainEqual({ date: today(), type: 'payouts_made', count: 1 });
	});

	test('leave out other programs and other days', async () => {
		const other = await aFunnel({}, funnel.owner);
		await api(`/api/v1/programs/${other.id}/commission-rules`, {
			token: funnel.owner.token,
			body: { type: 'percent', percent: 5, product_id: 'elsewhere' },
		});
		const before = (await notesOf()).body.data;
		await api(`/api/v1/programs/${other.id}/commission-rules`, {
			token: funnel.owner.token,
			body: { type: 'percent', percent: 5, product_id: 'elsewhere-too' },
		});
		expect((await notesOf()).body.data).toEqual(before);
		expect((await notesOf('?dateFrom=2020-01-01&dateTo=2020-01-31')).body.data).toEqual([]);
	});

	test.each([
		['?dateFrom=2026-01-01', 'dateFrom and dateTo go together'],
		['?dateFrom=2026-01-02&dateTo=2026-01-01', 'dateFrom must not be after dateTo'],
		['?period=3m', 'period must be 7d, 30d, 90d or all'],
	])('refuse %s', async (query, error) => {
		const answer = await notesOf(query);
		expect([answer.status, answer.body.error]).toEqual([400, error]);
	});

	test('are for members of the workspace', async () => {
		const [stranger, member] = [await signUp(), await aMember(funnel.owner, 'member')];
		expect((await notesOf('', stranger.token)).status).toBe(403);
		expect((await notesOf('', member.token)).status).toBe(200);
	});
});
