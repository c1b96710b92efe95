import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { readingRows } from '../support/beside-many.ts';
import { type Owner, signUp } from '../support/world.ts';

// Reading the audit log or the bell costs the same for any number of rows.

const ENTRIES = 6_000;

/** One second before the first entry. */
const BEGAN = Date.now() - DAY_MS;

let owner: Owner;

beforeAll(async () => {
	owner = await signUp();
	await env.DB.prepare(
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ENTRIES})
		INSERT INTO audit_entries (at, workspace_id, user_id, action, detail)
		SELECT ?3 + i * 1000, ?1, ?2, iif(i = 10, 'partner.erase', 'partner.add'), '{}' FROM n`,
	)
		.bind(owner.workspaceId, owner.userId, BEGAN)
		.run();
});

const log = (query: string) => readingRows({ owner }, `/api/v1/workspaces/${owner.workspaceId}/audit-log?${query}`);

test('the few entries of an action are found among many', async () => {
	const { data, rowsRead } = await log('action=partner.erase');
	expect(data).toHaveLength(1);
	expect(rowsRead).toBeLessThan(50);
});

test('entries of a date range are found by their time', async () => {
	const { data: none, rowsRead: rowsOfNone } = await log('from=2020-01-01&to=2020-02-01');
	expect([none.length, rowsOfNone < 50]).toEqual([0, true]);
	const until = new Date(BEGAN + 10_500).toISOString();
	const { data, rowsRead } = await log(`to=${until}&limit=50`);
	expect(data).toHaveLength(10);
	expect(rowsRead).toBeLessThan(1_100);
});
