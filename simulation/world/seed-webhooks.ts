import type { DatabaseSync } from 'node:sqlite';
import { WEBHOOK_TYPES } from '../../src/domain/webhooks/webhook-type.ts';

const WITH_WEBHOOK = [1, 3];

const WITH_POSTBACK = [
	[1, ['lead', 'sale', 'reversed', 'reinstated']],
	[2, ['sale', 'reversed']],
	[5, ['lead', 'sale', 'reversed', 'reinstated']],
] as const;

export function seedWebhooks(sqlite: DatabaseSync): void {
	const insert = sqlite.prepare(
		"INSERT INTO webhook_endpoints (program_id, url, types, sealed_secrets, created_at) VALUES (?, 'https://hooks.example.com/', ?, '[]', 0)",
	);
	for (const programId of WITH_WEBHOOK) insert.run(programId, JSON.stringify(WEBHOOK_TYPES));
	const postback = sqlite.prepare(`
		INSERT INTO postbacks (program_id, partner_program_id, url, events, created_at)
		SELECT program_id, id, 'https://network.example/' || id || '?e={event}&a={amount}&c={currency}&k={click_id}&s={sub_id}', ?, 0
		FROM partner_programs WHERE id = ?`);
	for (const [membershipId, events] of WITH_POSTBACK) postback.run(JSON.stringify(events), membershipId);
}
