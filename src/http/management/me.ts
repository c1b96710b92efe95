import { Hono } from 'hono';
import { readMe } from '../../accounts/read-me.ts';
import type { AppEnv } from '../app-env.ts';
import { noQuery } from '../validate.ts';
import { requireSession } from './session.ts';

export const me = new Hono<AppEnv>().get('/', requireSession, noQuery, async (c) => {
	const { userId, email, name } = c.var.actor;
	const { workspaces, partnerAccounts } = await readMe(c.var.ctx, { userId });
	return c.json({
		success: true,
		data: {
			user: { id: userId, email, name },
			workspaces,
			partner_accounts: partnerAccounts.map((account) => ({
				partner_id: account.partnerId,
				name: account.name,
				workspace_id: account.workspaceId,
				workspace_name: account.workspaceName,
			})),
		},
	});
});
