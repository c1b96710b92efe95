// Replaces `cloudflare:workers` in plain Node (vitest.config.ts): the Worker of src/ on the D1 look-alike.

import { openD1, openEmptySqlite, openSqlite, Statements } from '../../../testing/d1/look-alike.ts';
import { limitOf } from '../../../testing/limits.ts';
import { migrationFiles } from '../../../testing/migrations.ts';
import { nodeBindings } from '../../../testing/service/node-bindings.ts';
import { openContext } from '../../../src/context.ts';
import { app } from '../../../src/http/app.ts';
import { consume } from '../../../src/jobs/consume.ts';
import { createExecutionContext } from './execution.ts';
import { deliveringQueue } from './queue.ts';

/** Each call waits for the next turn of the event loop, so that concurrent requests interleave as on D1. */
function interleaving(sqlite: ReturnType<typeof openSqlite>): D1Database {
	return openD1(new Statements(sqlite), async (call) => {
		await new Promise((resolve) => setImmediate(resolve));
		return call.run();
	});
}

const unmigrated = () => interleaving(openEmptySqlite());

const deliver = (batch: MessageBatch) => consume(openContext(env, createExecutionContext()), batch);

/** The bindings that workerd has in tests (test/support/pools.ts). */
export const env: Cloudflare.Env = {
	...nodeBindings(interleaving(openSqlite())),
	CLICKS: deliveringQueue('affiliate-clicks', deliver),
	EFFECTS: deliveringQueue('affiliate-effects', deliver),
	WEBHOOKS: deliveringQueue('affiliate-webhooks', deliver),
	SECRETS: 'test-secret-newest-0001,test-secret-earlier-0002',
	SETUP_TOKEN: 'test-setup-token',
	MIGRATIONS: migrationFiles().map(({ name, statements }) => ({ name: `${name}.sql`, queries: [...statements] })),
	LOW_LIMIT: limitOf(3),
	EMPTY_DB: unmigrated(),
	EXAMPLES_DB: unmigrated(),
	UPGRADED_DB: unmigrated(),
	UPGRADED_CLICKS_DB: unmigrated(),
	ALERTS_DB: unmigrated(),
	MANY_PROGRAMS_DB: unmigrated(),
	NOBODY_DB: unmigrated(),
};

export const exports = {
	default: {
		fetch: (input: RequestInfo | URL, init?: RequestInit) => app.fetch(new Request(input, init), env, createExecutionContext()),
	},
};
