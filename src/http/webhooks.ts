import { Hono } from 'hono';
import { onceImported } from '../once.ts';
import { PROCESSOR_NAMES } from '../processor/processors.ts';
import type { AppEnv } from './app-env.ts';
import { loggedWebhook } from './event-log.ts';
import { clientNetwork, requireWithinLimit } from './limits.ts';
import { readBytes } from './read-body.ts';
import { params } from './validate.ts';

/** Decision 30. */
const WEBHOOK_LIMIT_BYTES = 1024 * 1024;

/** Loaded lazily, because visitors' requests do not need it. */
const forProcessors = onceImported(() => import('../processor/receive-processor-event.ts'));

/** Calls from payment processors (contract, section 6), authenticated by a signature. */
export const webhooks = new Hono<AppEnv>();

for (const processor of PROCESSOR_NAMES) {
	webhooks.post(`/${processor}/:programId`, loggedWebhook(processor), params(['programId']), async (c) => {
		// Limited per sender, so that forgeries do not block the processor, and across all programs, because every call costs a look-up.
		await requireWithinLimit(c.env.SERVER_LIMIT, `webhook ${await clientNetwork(c)}`);
		const payload = await readBytes(c.req.raw, WEBHOOK_LIMIT_BYTES);
		const { receiveProcessorEvent } = await forProcessors();
		const { programId } = c.req.valid('param');
		const sent = { payload, header: (name: string) => c.req.header(name) };
		c.set('received', await receiveProcessorEvent(c.var.ctx.in(programId), { processor, programId }, sent));
		return c.json({ received: true });
	});
}
