import { Hono } from 'hono';
import { once } from '../../../once.ts';
import { isoOf } from '../../../domain/instant.ts';
import { archiveGroup } from '../../../partners/archive-group.ts';
import { createGroup } from '../../../partners/create-group.ts';
import type { Group } from '../../../partners/group.ts';
import { listGroups } from '../../../partners/list-groups.ts';
import { movePartners } from '../../../partners/move-partners.ts';
import { renameGroup } from '../../../partners/rename-group.ts';
import type { AppEnv } from '../../app-env.ts';
import { IdList, Name, Strict } from '../../fields.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { body, params, query } from '../../validate.ts';
import { requireProgram } from '../session.ts';

export const GroupRequest = once(() => Strict({ name: Name() }));

export const MoveRequest = once(() => Strict({ partner_ids: IdList() }));

/** /api/v1/programs/:id/groups */
export const groups = new Hono<AppEnv>()
	.post('/', requireProgram('admin'), body(GroupRequest), async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: groupOnWire(await createGroup(ctx, program, c.req.valid('json').name)) }, 201);
	})
	.get('/', requireProgram('member'), query(PageQuery), async (c) => {
		const { ctx, program } = c.var;
		const page = await listGroups(ctx, program, c.req.valid('query'));
		return c.json({ success: true, data: page.rows.map(groupOnWire), meta: metaOf(page) });
	})
	.patch('/:groupId', requireProgram('admin'), params(['groupId']), body(GroupRequest), async (c) => {
		const { ctx, program } = c.var;
		const group = await renameGroup(ctx, program, c.req.valid('param').groupId, c.req.valid('json').name);
		return c.json({ success: true, data: groupOnWire(group) });
	})
	.delete('/:groupId', requireProgram('admin'), params(['groupId']), async (c) => {
		const { ctx, program } = c.var;
		await archiveGroup(ctx, program, c.req.valid('param').groupId);
		return c.json({ success: true, data: null });
	})
	.post('/none/partners', requireProgram('admin'), body(MoveRequest), async (c) => {
		const { ctx, program } = c.var;
		await movePartners(ctx, program, null, c.req.valid('json').partner_ids);
		return c.json({ success: true, data: null });
	})
	.post('/:groupId/partners', requireProgram('admin'), params(['groupId']), body(MoveRequest), async (c) => {
		const { ctx, program } = c.var;
		await movePartners(ctx, program, c.req.valid('param').groupId, c.req.valid('json').partner_ids);
		return c.json({ success: true, data: null });
	});

function groupOnWire({ id, name, activePartners, suspendedPartners, rules, createdAt }: Group) {
	return { id, name, partners: { active: activePartners, suspended: suspendedPartners }, rules, created_at: isoOf(createdAt) };
}
