import { expect, test, vi } from 'vitest';
import { tick } from '../support/deliver.ts';
import { rows, track } from '../support/funnel.ts';
import { aStripeFunnel, type StripeFunnel } from '../support/inbox.ts';
import { aStoredPerson } from '../support/person.ts';
import { api, unique } from '../support/world.ts';

const erase = (of: StripeFunnel, body: object) => api(`${of.path}/customers/erase`, { token: of.owner.token, body });

test('an export hands out no refused call of who has a longer key, or of whose order the key is a part', async () => {
	const [own, key] = [await aStripeFunnel(), unique('part')];
	for (const [customer_key, transaction_id] of [
		[`${key}1`, unique('order')],
		['somebody', `${key}-1`],
		['else', `x${key}`],
	])
		await track('sale', { customer_key, transaction_id, amount_cents: 100 }, own.apiToken);
	await track('sale', { customer_key: key, transaction_id: unique('order'), amount_cents: 100 }, own.apiToken);
	const left = async () =>
		(await rows<{ customer_key: string }>('SELECT customer_key FROM refusals WHERE program_id = ? ORDER BY id', own.id)).map(
			(row) => row.customer_key,
		);
	await vi.waitFor(async () => expect(await left()).toHaveLength(4));
	const told = await api<{ refusals: { customer_key: string }[] }>(`${own.path}/customers/export`, {
		token: own.owner.token,
		body: { customer_key: key },
	});
	expect(told.body.data.refusals.map((row) => row.customer_key)).toEqual([key]);
	await erase(own, { customer_key: key });
	expect((await left()).toSorted()).toEqual([`${key}1`, 'else'].toSorted());
});

test('nobody chooses a key or address by which others are handed out or erased', async () => {
	const own = await aStripeFunnel({ keep_emails: true });
	const victim = await aStoredPerson(own);
	const kept = async () => [
		await rows('SELECT id, state, payload FROM processor_events WHERE program_id = ? ORDER BY id', own.id),
		await rows('SELECT id, body FROM dead_letters WHERE program_id = ? ORDER BY id', own.id),
	];
	const before = await kept();
	const parts = { usd: victim.email.slice(1), click: `${victim.email}.test`, kind: `x.${victim.email}` };
	for (const [customer_key, email] of Object.entries(parts)) {
		await track('lead', { customer_key, email }, own.apiToken);
		const told = await api<Record<string, unknown[]>>(`${own.path}/customers/export`, { token: own.owner.token, body: { customer_key } });
		expect([told.status, told.body.data['processor_events'], told.body.data['dead_letters']]).toEqual([200, [], []]);
		await erase(own, { customer_key });
		await tick();
	}
	expect(await kept()).toEqual(before);
});
