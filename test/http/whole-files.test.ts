import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { app } from '../../src/http/app.ts';
import { aroundTrips } from '../../testing/d1/each-trip.ts';
import { aFunnel, aLead, aPartner, rows } from '../support/funnel.ts';
import { type Owner, signUp } from '../support/world.ts';

// A CSV file of any length is complete, or is refused before it begins (decision 67).

/** Twelve slices, or sixty. */
const ROWS = inject('thorough') ? 300_000 : 60_000;
const CUSTOMERS = inject('thorough') ? 30_000 : 12_000;

let owner: Owner;

/** Adds entries to the audit log, numbered in `subject_id`. */
const fill = (from: number, to: number) =>
	rows(
		`WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		INSERT INTO audit_entries (at, workspace_id, action, subject_id, detail) SELECT i, ?, 'program.update', i, '{}' FROM n`,
		from,
		to,
		owner.workspaceId,
	);

beforeAll(async () => {
	owner = await signUp();
	await fill(1, ROWS);
});

const asCsv = (path: string, db: Partial<Env> = {}) => {
	const request = new Request(`http://service.test${path}`, { headers: { Authorization: `Bearer ${owner.token}`, Accept: 'text/csv' } });
	return app.fetch(request, { ...env, ...db }, createExecutionContext());
};

const path = () => `/api/v1/workspaces/${owner.workspaceId}/audit-log`;

describe('a file of many slices', () => {
	test('has every row once, and none that was added after it began', async () => {
		const answer = await asCsv(path());
		const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
		let [text, chunks] = ['', 0];
		for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
			text += part.value;
			chunks += 1;
			if (chunks === 2) await fill(ROWS + 1, ROWS + 3);
		}
		const [header = '', ...lines] = text.trimEnd().split('\r\n');
		const column = header.split(',').indexOf('subject_id');
		const numbers = lines.map((line) => Number(line.split(',')[column]));
		expect(numbers).toHaveLength(ROWS);
		// Newest first.
		expect(numbers.every((number, index) => number === ROWS - index)).toBe(true);
	});

	test('that fails halfway ends with an error, never as a short file', async () => {
		let trips = 0;
		const failing = aroundTrips(env.DB, async (go) => {
			trips += 1;
			if (trips > ROWS / 10_000 + 2) throw new Error('The platform is out of order');
			return go();
		});
		const answer = await asCsv(path(), { DB: failing });
		expect(answer.status).toBe(200);
		await expect(answer.text()).rejects.toThrow();
	});

	test('is read in one trip for each 5,000 rows', async () => {
		let trips = 0;
		const counted = aroundTrips(env.DB, (go) => {
			trips += 1;
			return go();
		});
		await (await asCsv(path(), { DB: counted })).text();
		expect(trips).toBeLessThanOrEqual(ROWS / 5_000 + 6);
	});
});

test('a file of more than a million rows is refused before it begins; a shorter range is not', async () => {
	owner = await signUp();
	await fill(1, 1_000_001);
	const answer = await asCsv(path());
	expect([answer.status, await answer.json()]).toEqual([
		400,
		{ error: 'The file would have more than 1,000,000 rows. Request a shorter range, or pages with limit and cursor' },
	]);
	// Each entry is a millisecond later than the one before.
	const shorter = await asCsv(`${path()}?to=1970-01-01T00:00:20Z`);
	expect((await shorter.text()).trimEnd().split('\r\n')).toHaveLength(20_001);
});

test("a partner's few customers are found among many", async () => {
	const place = await aFunnel();
	owner = place.owner;
	const quiet = await aPartner(owner, place.id);
	const [link] = await rows<{ id: number }>('SELECT id FROM referral_links WHERE short_link = ?', place.shortLink);
	await rows(
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${CUSTOMERS})
		INSERT INTO customers (program_id, customer_key, status, partner_program_id, referral_link_id, click_id, clicked_at, click_sequence, created_at)
		SELECT ?1, 'k' || i, 'lead', ?2, ?3, 'c' || i, 1, 0, i FROM n`,
		place.id,
		place.partnerProgramId,
		link?.id,
	);
	for (let nth = 0; nth < 5; nth += 1) await aLead({ ...place, ...quiet });
	const answer = await asCsv(`/api/v1/programs/${place.id}/customers?partner_id=${quiet.partnerId}`);
	expect((await answer.text()).trimEnd().split('\r\n')).toHaveLength(6);
	const all = await asCsv(`/api/v1/programs/${place.id}/customers`);
	expect((await all.text()).trimEnd().split('\r\n')).toHaveLength(CUSTOMERS + 6);
});
