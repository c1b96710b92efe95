import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoOf } from '../../../domain/instant.ts';
import { once } from '../../../once.ts';
import { readStatus } from '../../../reporting/read-status.ts';
import { type IntegrationProgress, readIntegrationProgress } from '../../../reporting/integration-progress.ts';
import { tryProgram } from '../../../test-mode/try-program.ts';
import type { AppEnv } from '../../app-env.ts';
import { CHAINS, chainOnWire, statusOnWire, WHICH } from '../../cli.ts';
import { eventOnWire } from '../../event-on-wire.ts';
import { IsoDayOrInstant, Strict } from '../../fields.ts';
import { gatesOnWire } from '../../readiness.ts';
import { noQuery, optionalBody, query } from '../../validate.ts';
import { requireProgram, unlessArchived } from '../session.ts';

export const WatchQuery = once(() => z.object({ since: z.optional(IsoDayOrInstant()) }));

export const TryRequest = once(() => Strict({ type: z._default(z.enum(CHAINS, WHICH), 'chain') }));

/** GET /api/v1/programs/:id/status, the command line's status and readiness for members. */
export const status = new Hono<AppEnv>().get('/', requireProgram('member'), noQuery, async (c) => {
	const { ctx, program } = c.var;
	const found = await readStatus(ctx, program.id);
	return c.json({ success: true, data: { ...statusOnWire(program.id, found), ...gatesOnWire(found) } });
});

/** /api/v1/programs/:id/test-chain */
export const testChain = new Hono<AppEnv>()
	.get('/', requireProgram('member'), query(WatchQuery), async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: progressOnWire(await readIntegrationProgress(ctx, program, c.req.valid('query').since)) });
	})
	.post('/', requireProgram('admin'), unlessArchived, optionalBody(TryRequest), async (c) => {
		const { ctx, program } = c.var;
		const { type } = c.req.valid('json');
		return c.json({ success: true, data: chainOnWire(type, await tryProgram(ctx, program, type)) });
	});

function progressOnWire({ since, shortLink, address, refusedOrigins, steps }: IntegrationProgress) {
	return {
		complete: steps.every(({ state }) => state === 'done'),
		since: isoOf(since),
		short_link: shortLink,
		address,
		refused_origins: refusedOrigins,
		steps: steps.map(({ step, state, reason, event }) => ({ step, state, reason, event: event && eventOnWire(event) })),
	};
}
