import { Hono } from 'hono';
import type { AppEnv } from '../app-env.ts';
import { apiToken } from './accounts/api-token.ts';
import { applicationForm } from './applications/application-form.ts';
import { applications } from './applications/applications.ts';
import { archive } from './programs/archive.ts';
import { auditLog } from './accounts/audit-log.ts';
import { auth } from './accounts/auth.ts';
import { commissionRules } from './programs/commission-rules.ts';
import { commissionRuns } from './commissions/commission-runs.ts';
import { commissions } from './commissions/commissions.ts';
import { coupons } from './links/coupons.ts';
import { customers } from './customers/customers.ts';
import { deadLetters } from './monitoring/dead-letters.ts';
import { domain } from './programs/domain.ts';
import { due } from './payouts/due.ts';
import { groups } from './partners/groups.ts';
import { commissionExplanation, explanations } from './reporting/explanations.ts';
import { status, testChain } from './monitoring/integration.ts';
import { invitations } from './accounts/invitations.ts';
import { links } from './links/links.ts';
import { mailPreferences } from './notifications/mail-preferences.ts';
import { me } from './accounts/me.ts';
import { members } from './accounts/members.ts';
import { notifications } from './notifications/notifications.ts';
import { ownData } from './privacy/own-data.ts';
import { partnerCommissions } from './partner-programs/partner-commissions.ts';
import { partnerCoupons } from './partner-programs/partner-coupons.ts';
import { partnerLinks } from './partner-programs/partner-links.ts';
import { partnerPayouts } from './partner-programs/partner-payouts.ts';
import { partnerPrograms } from './partner-programs/partner-programs.ts';
import { partnerRanking } from './reporting/partner-ranking.ts';
import { partnerSales } from './partner-programs/partner-sales.ts';
import { partners } from './partners/partners.ts';
import { passwordReset } from './accounts/password-reset.ts';
import { ownPayoutDetails, payoutDetailsOfPartner } from './payouts/payout-details.ts';
import { payoutBatch } from './payouts/payout-batch.ts';
import { personalData } from './privacy/personal-data.ts';
import { payouts } from './payouts/payouts.ts';
import { payRuns } from './payouts/pay-runs.ts';
import { ownPostback, postbackOfPartner } from './webhooks/postbacks.ts';
import { processorEvents, processorReplay } from './processors/processor-events.ts';
import { processors } from './processors/processors.ts';
import { programs } from './programs/programs.ts';
import { refusals } from './reporting/refusals.ts';
import { runs } from './runs.ts';
import { publicPages } from './programs/public-pages.ts';
import { service } from './monitoring/service.ts';
import { sessions } from './accounts/sessions.ts';
import { stripe } from './processors/stripe.ts';
import { webhooks } from './webhooks/webhooks.ts';
import { workspaces } from './accounts/workspaces.ts';

/** The management API for signed-in people: everything under /api/v1 except tracking. */
export const management = new Hono<AppEnv>()
	// Answers contain keys, sessions and personal data, so no cache may keep them.
	.use(async (c, next) => {
		await next();
		c.header('Cache-Control', 'no-store');
	})
	.route('/auth', auth)
	.route('/auth/password-reset', passwordReset)
	.route('/auth/sessions', sessions)
	.route('/me', me)
	.route('/me', ownData)
	.route('/me/mail-preferences', mailPreferences)
	.route('/workspaces', workspaces)
	.route('/workspaces/:id', members)
	.route('/workspaces/:id/audit-log', auditLog)
	.route('/invitations', invitations)
	.route('/partner-accounts/:partnerId/payout-details', ownPayoutDetails)
	.route('/public', publicPages)
	.route('/programs', programs)
	.route('/programs/:id/api-token', apiToken)
	.route('/programs/:id/domain', domain)
	.route('/programs/:id/commission-rules', commissionRules)
	.route('/programs/:id/partners/performance', partnerRanking)
	.route('/programs/:id/partners', partners)
	.route('/programs/:id/partners/:partnerId/payout-details', payoutDetailsOfPartner)
	.route('/programs/:id/partners/:partnerId/postback', postbackOfPartner)
	.route('/programs/:id/groups', groups)
	.route('/programs/:id/application-form', applicationForm)
	.route('/programs/:id/applications', applications)
	.route('/programs/:id/links', links)
	.route('/programs/:id/coupons', coupons)
	.route('/programs/:id/commissions/runs', commissionRuns)
	.route('/programs/:id/commissions', commissions)
	.route('/programs/:id/archive', archive)
	.route('/programs/:id/customers', personalData)
	.route('/programs/:id/customers', customers)
	.route('/programs/:id/payouts/batch', payoutBatch)
	.route('/programs/:id/payouts/due', due)
	.route('/programs/:id/payouts/runs', payRuns)
	.route('/programs/:id/commissions/:commissionId/explanation', commissionExplanation)
	.route('/programs/:id/explain', explanations)
	.route('/programs/:id/payouts', payouts)
	.route('/programs/:id/runs', runs)
	.route('/programs/:id/processors', processors)
	.route('/programs/:id/stripe', stripe)
	.route('/programs/:id/processor-events', processorEvents)
	.route('/programs/:id/processor-replay', processorReplay)
	.route('/programs/:id/webhooks', webhooks)
	.route('/programs/:id/refusals', refusals)
	.route('/programs/:id/status', status)
	.route('/programs/:id/test-chain', testChain)
	.route('/partner-programs', partnerPrograms)
	.route('/partner-programs/:id/links', partnerLinks)
	.route('/partner-programs/:id/coupons', partnerCoupons)
	.route('/partner-programs/:id/commissions', partnerCommissions)
	.route('/partner-programs/:id/unearned-sales', partnerSales)
	.route('/partner-programs/:id/payouts', partnerPayouts)
	.route('/partner-programs/:id/postback', ownPostback)
	.route('/dead-letters', deadLetters)
	.route('/service', service)
	.route('/notifications', notifications);
