import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type Funnel } from '../support/funnel.ts';
import { aLoneFunnel, aSettledLead, rowsOf, call } from '../support/rows.ts';
import { aClickJob } from '../support/report.ts';
import { linkIdOf, mintClickId } from '../support/clock.ts';
import { unique } from '../support/world.ts';

// How many rows tracking reads after a program has erased many customers.

const ERASED = 2_000;

async function eraseMany({ id }: Pick<Funnel, 'id'>): Promise<void> {
	await env.DB.prepare(
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ERASED})
		INSERT INTO erased_ids (program_id, hash, erased_at) SELECT ?, lower(hex(randomblob(16))), ? FROM n`,
	)
		.bind(id, Date.now())
		.run();
}

test('a lead reads few of the erased ids', async () => {
	const funnel = await aLoneFunnel();
	await aSettledLead(funnel);
	const lead = async () => {
		const click_id = await mintClickId(await linkIdOf(funnel));
		return rowsOf((held) => call(held, funnel, 'lead', { click_id, customer_key: unique('customer') }));
	};
	const before = await lead();
	await eraseMany(funnel);
	const after = await lead();
	expect(after.written).toBe(before.written);
	expect(after.read).toBeLessThan(before.read + 40);
});

test('a delivery of clicks reads few of the erased ids', async () => {
	const funnel = await aLoneFunnel();
	await eraseMany(funnel);
	const jobs = await Promise.all([1, 2, 3].map(() => aClickJob(funnel, Date.now())));
	const { read } = await rowsOf(async ({ CLICKS }) => {
		for (const job of jobs) await CLICKS.send(job);
	});
	expect(read).toBeLessThan(400);
});
