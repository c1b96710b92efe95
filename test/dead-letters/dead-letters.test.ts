import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { replayDeadLetter } from '../../src/dead-letters/replay-dead-letter.ts';
import { EffectsJob, rowsOf } from '../../src/job.ts';
import { bearer, trackWith } from '../support/bindings.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { deliver, tick } from '../support/deliver.ts';
import { aClick, aFunnel, aLead, type Funnel, rows } from '../support/funnel.ts';
import { aMember, api, type Owner, signUp, unique } from '../support/world.ts';

interface Email {
	readonly id: number;
	readonly kind: string;
	readonly program_id: number | null;
	readonly reason: string;
	readonly body: Record<string, unknown>;
	readonly created_at: string;
	readonly state: string;
	readonly settled_at: string | null;
	readonly replayed_at: string | null;
}

let funnel: Funnel;
let owner: Owner;
beforeAll(async () => {
	funnel = await aFunnel();
	owner = funnel.owner;
});

const list = (by: Owner, query = '') => api<Email[]>(`/api/v1/dead-letters${query}`, { token: by.token });
const replay = (by: Owner, id: number) => api<Email>(`/api/v1/dead-letters/${id}/replay`, { token: by.token, method: 'POST' });

const dismiss = (by: Owner, id: number) => api<Email>(`/api/v1/dead-letters/${id}/dismiss`, { token: by.token, method: 'POST' });
const stateOf = async (deadLetter: Email | undefined) => (await list(owner)).body.data.find(({ id }) => id === deadLetter?.id)?.state;

async function deadLettersCheck(): Promise<boolean | undefined> {
	const { text } = await api('/api/v1/cli/status', { token: funnel.apiToken });
	const { checks }: { checks: { name: string; ok: boolean }[] } = JSON.parse(text);
	return checks.find(({ name }) => name === 'dead_letters')?.ok;
}

/** The sale's effects message fails for good. Returns the dead letter of its outbox row. */
async function aLostSale(): Promise<Email> {
	const EFFECTS = holdingQueue();
	const sale = { transaction_id: unique('txn'), amount_cents: 1_000, customer_key: await aLead(funnel) };
	expect((await trackWith({ EFFECTS }, 'sale', sale, bearer(funnel.apiToken))).status).toBe(200);
	const [message] = EFFECTS.held;
	await deliver('affiliate-dead-letters', [{ body: message }]);
	const [deadLetter] = (await list(owner, '?limit=1')).body.data;
	if (!deadLetter) throw new Error('No letter was kept');
	return deadLetter;
}

test('an owner sees what the queues gave up on, and replays it until it takes effect', async () => {
	const deadLetter = await aLostSale();
	expect(deadLetter).toEqual({
		id: expect.any(Number),
		kind: 'effects',
		program_id: funnel.id,
		reason: 'All retries failed',
		body: { version: 2, kind: 'effects', rows: [[funnel.id, expect.any(String)]] },
		created_at: expect.stringMatching(/Z$/),
		state: 'waiting',
		settled_at: null,
		replayed_at: null,
	});
	const [named] = rowsOf(EffectsJob.parse(deadLetter.body));
	if (!named) throw new Error('The letter names no row');
	const waiting = 'SELECT kind FROM outbox WHERE program_id = ? AND id = ?';
	expect(await rows(waiting, ...named)).toEqual([{ kind: 'commission_created' }]);
	const replayed = await replay(owner, deadLetter.id);
	expect([replayed.status, replayed.body.data]).toEqual([
		200,
		{ ...deadLetter, state: 'replayed', settled_at: expect.stringMatching(/Z$/), replayed_at: expect.stringMatching(/Z$/) },
	]);
	await expect.poll(() => rows(waiting, ...named), { timeout: 300_000 }).toEqual([]);
	expect(await rows('SELECT kind FROM notifications WHERE outbox_id = ?', named[1])).toEqual([{ kind: 'commission_created' }]);
	const audited = await rows(
		"SELECT user_id, program_id, detail FROM audit_entries WHERE action = 'dead_letter.replay' AND subject_id = ?",
		deadLetter.id,
	);
	expect(audited).toEqual([{ user_id: owner.userId, program_id: funnel.id, detail: '{"kind":"effects"}' }]);
});

test('a click returns to its own queue', async () => {
	const CLICKS = holdingQueue();
	await trackWith({ CLICKS }, 'click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}` });
	await deliver('affiliate-dead-letters', [{ body: CLICKS.held[0] }]);
	const [deadLetter] = (await list(owner, '?limit=1')).body.data;
	expect(deadLetter).toMatchObject({ kind: 'click', program_id: funnel.id });
	const queues = { CLICKS: holdingQueue(), EFFECTS: holdingQueue() };
	const ctx = openContext({ ...env, ...queues }, { waitUntil: () => undefined });
	await replayDeadLetter(ctx, { userId: owner.userId, email: owner.email, name: 'Ada Owner', address: null }, deadLetter?.id ?? 0);
	expect([queues.CLICKS.held, queues.EFFECTS.held]).toEqual([CLICKS.held, []]);
});

test('the list is newest first, paged, and can be limited to waiting ones', async () => {
	const place = await aFunnel();
	const by = await signUp();
	await env.DB.prepare('UPDATE programs SET workspace_id = ? WHERE id = ?').bind(by.workspaceId, place.id).run();
	const message = { version: 2, kind: 'effects', rows: [[place.id, 'no such row']] };
	const click = {
		clickId: await aClick(place),
		programId: place.id,
		version: 1,
		kind: 'click',
		referralLinkId: 0,
		isTest: false,
		isBot: false,
	};
	const page = {
		pageUrl: null,
		pageTitle: null,
		referrerUrl: null,
		sessionId: null,
		userAgent: null,
		language: null,
		timezone: null,
		country: null,
	};
	for (const clickedAt of [1, 2, 3]) {
		await deliver('affiliate-dead-letters', [{ body: { ...click, ...page, clickedAt } }, { body: message }]);
	}
	const first = await list(by, '?limit=2');
	const rest = await list(by, `?limit=2&cursor=${first.body.meta.next_cursor}`);
	const deadLetters = [...first.body.data, ...rest.body.data];
	expect(deadLetters.map(({ body }) => body['clickedAt'])).toEqual([3, 2, 1]);
	expect(rest.body.meta.next_cursor).toBeNull();
	const back = await list(by, `?limit=2&cursor=${rest.body.meta.previous_cursor}`);
	expect(back.body.data).toEqual(first.body.data);
	expect((await list(by, '?limit=2&total=true')).body.meta).toMatchObject({ total: 3, total_is_more: false });

	await replay(by, deadLetters[1]?.id ?? 0);
	const waiting = await list(by, '?waiting=true');
	expect(waiting.body.data.map(({ body }) => body['clickedAt'])).toEqual([3, 1]);
	expect((await list(by, '?waiting=false')).body.data).toHaveLength(3);
	expect((await list(by, '?waiting=maybe')).body.error).toBe('waiting must be true or false');
});

test('an unknown message is shown but cannot be replayed, and belongs to the owners of the oldest workspace', async () => {
	const [oldest] = await rows<{ id: number }>('SELECT min(id) AS id FROM workspaces');
	const elder = await signUp();
	await env.DB.prepare("INSERT INTO members (workspace_id, user_id, role, created_at) VALUES (?, ?, 'owner', 0)")
		.bind(oldest?.id, elder.userId)
		.run();
	const mark = unique('mark');
	await deliver('affiliate-effects', [{ body: { version: 99, kind: 'effects', mark } }]);
	const [deadLetter] = (await list(elder, '?limit=1')).body.data;
	expect(deadLetter).toMatchObject({
		kind: 'unknown',
		program_id: null,
		body: { mark },
		reason: 'The message has an unknown kind or version',
	});
	const refused = await replay(elder, deadLetter?.id ?? 0);
	expect([refused.status, refused.body.error]).toEqual([
		409,
		'This message has an unknown kind or version and cannot be replayed. Dismiss it if nothing is left to do',
	]);

	const dismissed = await dismiss(elder, deadLetter?.id ?? 0);
	const settled = { state: 'dismissed', settled_at: expect.stringMatching(/Z$/), replayed_at: null };
	expect([dismissed.status, dismissed.body.data]).toEqual([200, { ...deadLetter, ...settled }]);
	const again = await Promise.all([dismiss(elder, deadLetter?.id ?? 0), dismiss(elder, deadLetter?.id ?? 0)]);
	expect(again.map(({ status, body }) => [status, body.data])).toEqual([1, 2].map(() => [200, dismissed.body.data]));
	expect((await list(elder, '?waiting=true')).body.data.map(({ id }) => id)).not.toContain(deadLetter?.id);
	const audited = await rows("SELECT user_id FROM audit_entries WHERE action = 'dead_letter.dismiss' AND subject_id = ?", deadLetter?.id);
	expect(audited[0]).toEqual({ user_id: elder.userId });

	const young = await signUp();
	expect((await list(young)).body.data).toEqual([]);
	expect((await replay(young, deadLetter?.id ?? 0)).status).toBe(404);
	expect((await dismiss(young, deadLetter?.id ?? 0)).status).toBe(404);
});

test('a message of a known kind is replayed, not dismissed', async () => {
	const deadLetter = await aLostSale();
	const refused = await dismiss(owner, deadLetter.id);
	expect([refused.status, refused.body.error]).toEqual([409, 'This message can be processed. Replay it instead of dismissing it']);
	expect(await stateOf(deadLetter)).toBe('waiting');
});

describe('cron settles a dead letter whose work was done otherwise', () => {
	test('the effects of a sale, which cron applies', async () => {
		const deadLetter = await aLostSale();
		expect(await deadLettersCheck()).toBe(false);
		await tick();
		expect(await stateOf(deadLetter)).toBe('done');
	});

	test('a click that another delivery stored; a lost one waits', async () => {
		const CLICKS = holdingQueue();
		for (let time = 0; time < 2; time += 1)
			await trackWith({ CLICKS }, 'click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}` });
		const [stored, lost] = CLICKS.held;
		await deliver('affiliate-dead-letters', [{ body: stored }, { body: lost }]);
		const [ofLost, ofStored] = (await list(owner, '?limit=2')).body.data;
		await deliver('affiliate-clicks', [{ body: stored }]);
		await tick();
		expect([await stateOf(ofStored), await stateOf(ofLost)]).toEqual(['done', 'waiting']);
		await deliver('affiliate-clicks', [{ body: lost }]);
		await tick();
		expect(await stateOf(ofLost)).toBe('done');
		expect(await deadLettersCheck()).toBe(true);
	});

	test('an unreadable message waits', async () => {
		const bodies = [
			'"erased"',
			'[]',
			'7',
			'null',
			'{}',
			'{"kind":"effects"}',
			'{"kind":"effects","rows":7}',
			'{"kind":"processor_events","ids":null}',
		];
		for (const body of bodies)
			await env.DB.prepare("INSERT INTO dead_letters (message_id, body, reason, created_at) VALUES (?, ?, 'odd', 0)")
				.bind(unique('odd'), body)
				.run();
		await tick();
		expect(await rows("SELECT count(*) AS n FROM dead_letters WHERE reason = 'odd' AND replayed_at IS NULL")).toEqual([
			{ n: bodies.length },
		]);
		await env.DB.prepare("DELETE FROM dead_letters WHERE reason = 'odd'").run();
	});
});

test('outsiders and lower roles can neither see nor replay a dead letter', async () => {
	const deadLetter = await aLostSale();
	for (const person of [await signUp(), await aMember(owner, 'admin'), await aMember(owner, 'member')]) {
		expect((await list(person)).body.data.map(({ id }) => id)).not.toContain(deadLetter.id);
		const refused = await replay(person, deadLetter.id);
		expect([refused.status, refused.body.error]).toEqual([404, 'Dead letter not found']);
	}
	const second = await aMember(owner, 'owner');
	expect((await list(second)).body.data.map(({ id }) => id)).toContain(deadLetter.id);
	expect((await replay(second, deadLetter.id)).status).toBe(200);
});

test('calls without a session or with invalid ids are refused', async () => {
	expect((await api('/api/v1/dead-letters')).status).toBe(401);
	expect((await api('/api/v1/dead-letters/1/replay', { method: 'POST' })).status).toBe(401);
	expect((await replay(owner, 999_999_999)).status).toBe(404);
	expect((await api('/api/v1/dead-letters/x/replay', { token: owner.token, method: 'POST' })).status).toBe(400);
	expect((await api('/api/v1/dead-letters/1/replay', { token: owner.token })).status).toBe(405);
});
