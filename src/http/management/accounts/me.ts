import { Hono } from 'hono';
import { listOwnEntries } from '../../../accounts/list-audit-entries.ts';
import type { PartnerAccount } from '../../../accounts/partner-account.ts';
import { readMe } from '../../../accounts/read-me.ts';
import { renameAccount } from '../../../accounts/rename-account.ts';
import { once } from '../../../once.ts';
import type { AppEnv } from '../../app-env.ts';
import { Name, Strict } from '../../fields.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { body, noQuery, query } from '../../validate.ts';
import { entryOnWire } from './audit-log.ts';
import { requireSession } from '../session.ts';

export const MeRequest = once(() => Strict({ name: Name() }));

export const me = new Hono<AppEnv>()
	.get('/', requireSession, noQuery, async (c) => {
		const { userId, email, name } = c.var.actor;
		const { workspaces, partnerAccounts, isOperator } = await readMe(c.var.ctx, { userId });
		return c.json({
			success: true,
			data: {
				user: { id: userId, email, name },
				workspaces,
				is_operator: isOperator,
				partner_accounts: partnerAccounts.map(partnerAccountOnWire),
			},
		});
	})
	.patch('/', requireSession, body(MeRequest), async (c) => {
		const { ctx, actor } = c.var;
		const { name } = c.req.valid('json');
		await renameAccount(ctx, actor, name);
		return c.json({ success: true, data: { id: actor.userId, email: actor.email, name } });
	})
	.get('/audit-log', requireSession, query(PageQuery), async (c) => {
		const { ctx, actor } = c.var;
		const page = await listOwnEntries(ctx, actor, c.req.valid('query'));
		return c.json({ success: true, data: page.rows.map(entryOnWire), meta: metaOf(page) });
	});

export function partnerAccountOnWire({ partnerId, name, workspaceId, workspaceName, partnerPrograms }: PartnerAccount) {
	return {
		partner_id: partnerId,
		name,
		workspace_id: workspaceId,
		workspace_name: workspaceName,
		partner_programs: partnerPrograms,
	};
}
