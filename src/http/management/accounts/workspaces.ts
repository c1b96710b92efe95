import { Hono } from 'hono';
import { createWorkspace } from '../../../accounts/create-workspace.ts';
import { renameWorkspace } from '../../../accounts/rename-workspace.ts';
import { once } from '../../../once.ts';
import type { AppEnv } from '../../app-env.ts';
import { body } from '../../validate.ts';
import { Name, Strict } from '../../fields.ts';
import { requireSession, requireWorkspace } from '../session.ts';

export const WorkspaceRequest = once(() => Strict({ name: Name() }));

/** /api/v1/workspaces: GET /api/v1/me lists them. */
export const workspaces = new Hono<AppEnv>()
	.post('/', requireSession, body(WorkspaceRequest), async (c) => {
		const { ctx, actor } = c.var;
		return c.json({ success: true, data: await createWorkspace(ctx, actor, c.req.valid('json').name) }, 201);
	})
	.patch('/:id', requireWorkspace('admin'), body(WorkspaceRequest), async (c) => {
		const { ctx, workspace } = c.var;
		return c.json({ success: true, data: await renameWorkspace(ctx, workspace, c.req.valid('json').name) });
	});
