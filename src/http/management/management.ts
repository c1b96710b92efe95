import { Hono } from 'hono';
import type { AppEnv } from '../app-env.ts';
import { apiToken } from './api-token.ts';
import { applicationForm } from './application-form.ts';
import { applications } from './applications.ts';
import { archive } from './archive.ts';
import { auditLog } from './audit-log.ts';
import { auth } from './auth.ts';
import { commissionRules } from './commission-rules.ts';
import { commissionRuns } from './commission-runs.ts';
import { commissions } from './commissions.ts';
import { coupons } from './coupons.ts';
import { customers } from './customers.ts';
import { deadLetters } from './dead-letters.ts';
import { domain } from './domain.ts';
import { due } from './due.ts';
import { groups } from './groups.ts';
import { commissionExplanation, explanations } from './explanations.ts';
import { status, testChain } from './integration.ts';
import { invitations } from './invitations.ts';
import { links } from './links.ts';
import { mailPreferences } from './mail-preferences.ts';
import { me } from './me.ts';
import { members } from './members.ts';
import { notifications } from './notifications.ts';
import { ownData } from './own-data.ts';
import { partnerCommissions } from './partner-commissions.ts';
import { partnerCoupons } from './partner-coupons.ts';
import { partnerLinks } from './partner-links.ts';
import { partnerPayouts } from './partner-payouts.ts';
import { partnerPrograms } from './partner-programs.ts';
import { partnerRanking } from './partner-ranking.ts';
import { partnerSales } from './partner-sales.ts';
import { partners } from './partners.ts';
import { passwordReset } from './password-reset.ts';
import { ownPayoutDetails, payoutDetailsOfPartner } from './payout-details.ts';
import { payoutBatch } from './payout-batch.ts';
import { personalData } from './personal-data.ts';
import { payouts } from './payouts.ts';
import { payRuns } from './pay-runs.ts';
import { ownPostback, postbackOfPartner } from './postbacks.ts';
import { processorEvents, processorReplay } from './processor-events.ts';
import { processors } from './processors.ts';
import { programs } from './programs.ts';
import { refusals } from './refusals.ts';
import { runs } from './runs.ts';
import { publicPages } from './public-pages.ts';
import { service } from './service.ts';
import { sessions } from './sessions.ts';
import { stripe } from './stripe.ts';
import { webhooks } from './webhooks.ts';
import { workspaces } from './workspaces.ts';

/** The management API, for signed-in people: everything under /api/v1 that is not tracking. */
export const management = new Hono<AppEnv>()
	// Answers carry keys, sessions and personal data: no cache keeps them.
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
