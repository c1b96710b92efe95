import { DAY_MS } from '../../src/domain/calendar.ts';
import { type Cases, type Named, PAGES } from './cases.ts';

// Routes that belong to no program, or to several.

export function ofService({ plan }: Named): Cases {
	const month = new Date(plan.now - 200 * DAY_MS).toISOString();
	const day = new Date(plan.now - 199 * DAY_MS).toISOString();
	return {
		readDocument: [],
		readHealth: [{ as: 'nobody', path: '/health' }],
		followLink: [{ as: 'nobody', path: '/r/p1', status: 302 }],
		readScript: [],
		readScriptExtras: [],
		readService: [{ path: '/api/v1/service' }],
		readMe: [{ path: '/api/v1/me' }, { as: 'busy', path: '/api/v1/me' }],
		readOwnAuditLog: [{ path: '/api/v1/me/audit-log', queries: PAGES }],
		exportAccount: [{ path: '/api/v1/me/export' }, { as: 'busy', path: '/api/v1/me/export' }],
		readMailPreferences: [{ path: '/api/v1/me/mail-preferences' }],
		listSessions: [{ path: '/api/v1/auth/sessions', queries: ['', 'limit=200'] }],
		readInvitation: [{ as: 'nobody', path: '/api/v1/invitations/nothing', status: 404 }],
		listNotifications: [
			{ path: '/api/v1/notifications', queries: [...PAGES, 'unread=true', 'program_id=1&unread=true'] },
			{ as: 'busy', path: '/api/v1/notifications', queries: ['', 'unread=true', 'limit=200', 'partner_program_id=1&unread=true'] },
			{ as: 'quiet', path: '/api/v1/notifications', queries: ['', 'unread=true'] },
		],
		listDeadLetters: [{ path: '/api/v1/dead-letters', queries: [...PAGES, 'waiting=true', 'waiting=true&cursor=600'] }],
		readAuditLog: [
			{
				path: '/api/v1/workspaces/1/audit-log',
				queries: [
					...PAGES,
					'action=commission.approve',
					'action=webhook.create',
					'action=account.delete',
					'program_id=1',
					'program_id=2',
					'user_id=3',
					'user_id=999999',
					`from=${month}&to=${day}`,
					`to=${month}`,
				],
				csv: ['', 'action=webhook.create'],
			},
		],
		listMembers: [{ path: '/api/v1/workspaces/1/members', queries: ['', 'limit=200'] }],
		listPrograms: [{ path: '/api/v1/programs', queries: ['', 'archived=true'] }],
		readProgramPage: [{ as: 'nobody', path: '/api/v1/public/programs/large-shop' }],
	};
}
