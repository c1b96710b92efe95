import type { DatabaseSync } from 'node:sqlite';
import { WEBHOOK_TYPES } from '../../src/domain/webhook-type.ts';

/** Programs of which a backend is told; of the other one nobody is. */
const TOLD_OF = [1, 3];

export function seedWebhooks(sqlite: DatabaseSync): void {
	const insert = sqlite.prepare(
		"INSERT INTO webhook_endpoints (program_id, url, types, sealed_secrets, created_at) VALUES (?, 'https://hooks.example.com/', ?, '[]', 0)",
	);
	for (const programId of TOLD_OF) insert.run(programId, JSON.stringify(WEBHOOK_TYPES));
}
