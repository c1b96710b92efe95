import { Hono } from 'hono';
import { readMe } from '../../accounts/read-me.ts';
import type { AppEnv } from '../app-env.ts';
import { requireNoQuery, requireSession } from './session.ts';

export const me = new Hono<AppEnv>();

me.get('/', async (c) => {
	const { userId, email, name } = await requireSession(c);
	requireNoQuery(c);
	const { workspaces, partnerAccounts } = await readMe(c.get('ctx'), { userId });
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
