// Replaces `cloudflare:test` in plain Node (vitest.config.ts).

import { waitOnExecutionContext } from './execution.ts';
import { type Outcome, outcomeOf } from './queue.ts';

export { createExecutionContext, waitOnExecutionContext } from './execution.ts';
export { createMessageBatch } from './queue.ts';

export function createScheduledController(): ScheduledController {
	return { scheduledTime: Date.now(), cron: '* * * * *', noRetry() {} };
}

/** The result of each message, after the consumer's deferred work. */
export async function getQueueResult(batch: MessageBatch, execution: ExecutionContext): Promise<Outcome> {
	await waitOnExecutionContext(execution);
	return outcomeOf(batch);
}

export async function applyD1Migrations(
	db: D1Database,
	migrations: readonly { readonly name: string; readonly queries: readonly string[] }[],
) {
	await db.prepare('CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)').run();
	const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
	const applied = new Set(results.map(({ name }) => name));
	for (const { name, queries } of migrations.filter((migration) => !applied.has(migration.name))) {
		await db.batch([...queries.map((query) => db.prepare(query)), db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name)]);
	}
}
