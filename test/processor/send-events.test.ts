import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { ProcessorEventsJob } from '../../src/job.ts';
import { sendEvents } from '../../src/inbox/send-events.ts';
import { holdingQueue } from '../../testing/queues.ts';

/** max_batch_size in wrangler.toml, the trips that a sale takes, and D1's limit of queries per invocation. */
const [MESSAGES, TRIPS, LIMIT] = [50, 6, 1_000];

test("a full delivery stays within D1's limit for one invocation, and has every event once", async () => {
	const EFFECTS = holdingQueue();
	const ids = Array.from({ length: 500 }, (_, index) => index + 1);
	await sendEvents(openContext({ ...env, EFFECTS }, { waitUntil: () => undefined }), ids);
	const sent = EFFECTS.held.map((message) => ProcessorEventsJob.parse(message).ids);
	expect(sent.flat()).toEqual(ids);
	expect(Math.max(...sent.map(({ length }) => length)) * MESSAGES * TRIPS).toBeLessThan(LIMIT);
});
