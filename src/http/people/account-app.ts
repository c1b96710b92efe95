import { auditLog } from '../management/accounts/audit-log.ts';
import { auth } from '../management/accounts/auth.ts';
import { invitations } from '../management/accounts/invitations.ts';
import { me } from '../management/accounts/me.ts';
import { members } from '../management/accounts/members.ts';
import { passwordReset } from '../management/accounts/password-reset.ts';
import { sessions } from '../management/accounts/sessions.ts';
import { workspaces } from '../management/accounts/workspaces.ts';
import { mailPreferences } from '../management/notifications/mail-preferences.ts';
import { notifications } from '../management/notifications/notifications.ts';
import { ownPayoutDetails } from '../management/payouts/payout-details.ts';
import { ownData } from '../management/privacy/own-data.ts';
import { unsubscribe } from '../unsubscribe.ts';
import { noStore, newPeopleApp } from './new-people-app.ts';

export const accountApp = newPeopleApp()
	.route('/unsubscribe', unsubscribe)
	.use('/api/v1/*', noStore)
	.route('/api/v1/auth', auth)
	.route('/api/v1/auth/password-reset', passwordReset)
	.route('/api/v1/auth/sessions', sessions)
	.route('/api/v1/me', me)
	.route('/api/v1/me', ownData)
	.route('/api/v1/me/mail-preferences', mailPreferences)
	.route('/api/v1/workspaces', workspaces)
	.route('/api/v1/workspaces/:id', members)
	.route('/api/v1/workspaces/:id/audit-log', auditLog)
	.route('/api/v1/invitations', invitations)
	.route('/api/v1/partner-accounts/:partnerId/payout-details', ownPayoutDetails)
	.route('/api/v1/notifications', notifications);
