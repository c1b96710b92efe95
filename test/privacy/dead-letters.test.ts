import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { faultyDb } from '../../testing/d1/failing.ts';
import { callWith } from '../support/bindings.ts';
import { deliver } from '../support/deliver.ts';
import { placesOf } from '../support/everywhere.ts';
import { rows, track } from '../support/funnel.ts';
import { aStripeFunnel, type StripeFunnel } from '../support/inbox.ts';
import { aClickJob } from '../support/report.ts';
import { sweepAt } from '../support/sweep.ts';
import { unique } from '../support/world.ts';

// A dead letter may name an erased person even if it belongs to somebody else, or to nobody known.

let funnel: StripeFunnel;
beforeAll(async () => {
	funnel = await aStripeFunnel({ keep_emails: true });
});

async function erase(customer_key: string, bindings: Partial<Env> = {}, { path, owner } = funnel): Promise<number> {
	const { status, body } = await callWith(bindings, `${path}/customers/erase`, { token: owner.token, body: { customer_key } });
	if (status !== 200) throw new Error(`The erase answered ${status}: ${JSON.stringify(body)}`);
	return Object(body['data']).erasure_id;
}

async function aPerson(): Promise<{ key: string; email: string }> {
	const [key, email] = [unique('customer'), `${unique('jenny')}@people.example`];
	expect((await track('lead', { customer_key: key, email }, funnel.apiToken)).status).toBe(200);
	return { key, email };
}

async function keep(body: object): Promise<string> {
	const id = crypto.randomUUID();
	await deliver('affiliate-dead-letters', [{ id, body }]);
	return id;
}

async function bodyOf(id: string): Promise<unknown> {
	const [row] = await rows<{ body: string }>('SELECT body FROM dead_letters WHERE message_id = ?', id);
	return JSON.parse(row?.body ?? 'null');
}

async function countOf(erasureId: number): Promise<Record<string, number>> {
	const [row] = await rows<{ counts: string }>('SELECT counts FROM erasures WHERE id = ?', erasureId);
	return JSON.parse(row?.counts ?? '{}');
}

test('two concurrent erases leave neither address in a dead letter with both', async () => {
	const [first, second] = [await aPerson(), await aPerson()];
	const job = await aClickJob(funnel, Date.now(), { pageUrl: `https://shop.example/?for=${first.email}&cc=${second.email}` });
	const id = await keep(job);
	// The erasure writes in its first trip and searches in its second.
	await erase(first.key, { DB: faultyDb(env.DB, async (trip) => (trip === 2 ? void (await erase(second.key)) : undefined)) });
	await sweepAt(Date.now() + 3 * 60_000);
	for (const { email } of [first, second]) expect(await placesOf(email)).toEqual([]);
	expect(await bodyOf(id)).toEqual({ ...job, pageUrl: 'https://shop.example/?for=erased@erased.invalid&cc=erased@erased.invalid' });
});

test('a dead letter that belongs to another erased person stays erased', async () => {
	const [person, visitor, job] = [await aPerson(), unique('customer'), await aClickJob(funnel, Date.now())];
	await track('lead', { click_id: job.clickId, customer_key: visitor }, funnel.apiToken);
	const id = await keep({ ...job, pageUrl: `https://shop.example/?for=${person.email}` });
	await erase(person.key, { DB: faultyDb(env.DB, async (trip) => (trip === 2 ? void (await erase(visitor)) : undefined)) });
	await sweepAt(Date.now() + 3 * 60_000);
	expect(await bodyOf(id)).toBe('erased');
});

test('a dead letter that only names the person does not count as theirs', async () => {
	const { key, email } = await aPerson();
	await keep(await aClickJob(funnel, Date.now(), { pageUrl: `https://shop.example/?for=${email}` }));
	const erasure = await erase(key);
	await sweepAt(Date.now());
	expect(await placesOf(email)).toEqual([]);
	expect(await countOf(erasure)).toMatchObject({ customers: 1, leads: 1, dead_letters: 0, processor_events: 0 });
});

describe('a dead letter of an unknown kind', () => {
	test('loses only the names, in any position', async () => {
		const { key, email } = await aPerson();
		const id = await keep({ kind: 'of old', about: [{ key }, key, `${key}1`], mail: email });
		const erasure = await erase(key);
		await sweepAt(Date.now());
		expect(await bodyOf(id)).toEqual({
			kind: 'of old',
			about: [{ key: 'erased' }, 'erased', `${key}1`],
			mail: 'erased@erased.invalid',
		});
		expect((await countOf(erasure))['dead_letters']).toBe(0);
	});

	test('is erased whole if it names the program as its own', async () => {
		const { key } = await aPerson();
		const id = await keep({ kind: 'click', version: 0, programId: funnel.id, about: key, title: 'Welcome, Jenny' });
		const erasure = await erase(key);
		await sweepAt(Date.now());
		expect(await bodyOf(id)).toBe('erased');
		expect((await countOf(erasure))['dead_letters']).toBe(1);
	});

	test('stays unchanged if it names another program', async () => {
		const [{ key, email }, other] = [await aPerson(), await aStripeFunnel()];
		const body = { kind: 'click', version: 0, programId: other.id, about: key, mail: email };
		const id = await keep(body);
		await erase(key);
		await sweepAt(Date.now());
		expect(await bodyOf(id)).toEqual(body);
	});

	test('keeps its kind, whatever keys customers choose', async () => {
		const own = await aStripeFunnel();
		expect((await track('lead', { customer_key: 'click' }, own.apiToken)).status).toBe(200);
		const body = { kind: 'click', version: 0, title: unique('Welcome') };
		const id = await keep(body);
		await erase('click', {}, own);
		await sweepAt(Date.now());
		expect(await bodyOf(id)).toEqual(body);
	});
});
