import { Hono } from 'hono';
import { endOtherSessions, endSession } from '../../../accounts/end-sessions.ts';
import { listSessions } from '../../../accounts/list-sessions.ts';
import type { AppEnv } from '../../app-env.ts';
import { isoOf } from '../../../domain/instant.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { clearSessionCookie } from '../../session-cookie.ts';
import { params, query } from '../../validate.ts';
import { isByCookie, requireSession } from '../session.ts';

/** /api/v1/auth/sessions: the caller's own. */
export const sessions = new Hono<AppEnv>()
	.get('/', requireSession, query(PageQuery), async (c) => {
		const { ctx, actor, sessionHash } = c.var;
		const { cursor, limit, total } = c.req.valid('query');
		const page = await listSessions(ctx, actor, sessionHash, { cursor, limit, total });
		const data = page.rows.map((session) => ({
			id: session.id,
			created_at: isoOf(session.createdAt),
			last_used_at: isoOf(session.lastUsedAt),
			expires_at: isoOf(session.expiresAt),
			network: session.network,
			user_agent: session.userAgent,
			is_current: session.isCurrent,
		}));
		return c.json({ success: true, data, meta: metaOf(page) });
	})
	.delete('/', requireSession, async (c) => {
		const { ctx, actor, sessionHash } = c.var;
		return c.json({ success: true, data: await endOtherSessions(ctx, actor, sessionHash) });
	})
	.delete('/:id', requireSession, params(['id']), async (c) => {
		const { ctx, actor, sessionHash } = c.var;
		const { isCurrent } = await endSession(ctx, actor, sessionHash, c.req.valid('param').id);
		if (isCurrent && isByCookie(c)) clearSessionCookie(c);
		return c.json({ success: true, data: null });
	});
