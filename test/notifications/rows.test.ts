import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { readingRows } from '../support/beside-many.ts';
import { aFunnel } from '../support/funnel.ts';
import { signUp } from '../support/world.ts';

// Every open tab queries the bell once a minute.

test('the bell stops counting at a hundred unread', async () => {
	const [owner, { id }] = [await signUp(), await aFunnel()];
	await env.DB.prepare('UPDATE programs SET workspace_id = ? WHERE id = ?').bind(owner.workspaceId, id).run();
	await env.DB.prepare(
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
		INSERT INTO notifications (user_id, program_id, kind, detail, outbox_id, created_at)
		SELECT ?1, ?2, 'application_received', '{"currency":"USD"}', 'many-' || ?2 || '-' || i, 1 FROM n`,
	)
		.bind(owner.userId, id)
		.run();
	const { meta, rowsRead } = await readingRows({ owner }, '/api/v1/notifications?limit=1');
	expect(meta?.unread_count).toBe(100);
	expect(rowsRead).toBeLessThan(300);
	const ofProgram = await readingRows({ owner }, `/api/v1/notifications?limit=1&program_id=${id}`);
	expect(ofProgram.meta?.unread_count).toBe(100);
	expect(ofProgram.rowsRead).toBeLessThan(6_000);
});
