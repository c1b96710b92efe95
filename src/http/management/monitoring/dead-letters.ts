import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { DeadLetter } from '../../../dead-letters/dead-letter.ts';
import { dismissDeadLetter } from '../../../dead-letters/dismiss-dead-letter.ts';
import { listDeadLetters } from '../../../dead-letters/list-dead-letters.ts';
import { replayDeadLetter } from '../../../dead-letters/replay-dead-letter.ts';
import { once } from '../../../once.ts';
import type { AppEnv } from '../../app-env.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { params, query } from '../../validate.ts';
import { QueryFlag } from '../../fields.ts';
import { isoOf } from '../../../domain/instant.ts';
import { requireSession } from '../session.ts';

export const DeadLetterQuery = once(() => z.extend(PageQuery(), { waiting: z.optional(QueryFlag()) }));

/** /api/v1/dead-letters, for owners of their workspaces. */
export const deadLetters = new Hono<AppEnv>()
	.get('/', requireSession, query(DeadLetterQuery), async (c) => {
		const { ctx, actor } = c.var;
		const { waiting, cursor, limit, total } = c.req.valid('query');
		const page = await listDeadLetters(ctx, actor, { isWaiting: waiting === 'true', cursor, limit, total });
		return c.json({ success: true, data: page.rows.map(deadLetterOnWire), meta: metaOf(page) });
	})
	.post('/:id/replay', requireSession, params(['id']), async (c) => {
		const { ctx, actor } = c.var;
		return c.json({ success: true, data: deadLetterOnWire(await replayDeadLetter(ctx, actor, c.req.valid('param').id)) });
	})
	.post('/:id/dismiss', requireSession, params(['id']), async (c) => {
		const { ctx, actor } = c.var;
		return c.json({ success: true, data: deadLetterOnWire(await dismissDeadLetter(ctx, actor, c.req.valid('param').id)) });
	});

function deadLetterOnWire(deadLetter: DeadLetter) {
	return {
		id: deadLetter.id,
		kind: deadLetter.job?.kind ?? 'unknown',
		program_id: deadLetter.programId,
		reason: deadLetter.reason,
		body: deadLetter.body,
		created_at: isoOf(deadLetter.createdAt),
		state: deadLetter.state,
		settled_at: isoOf(deadLetter.settledAt),
		replayed_at: isoOf(deadLetter.state === 'replayed' ? deadLetter.settledAt : null),
	};
}
