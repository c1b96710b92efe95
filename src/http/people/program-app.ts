import { cli } from '../cli.ts';
import { events } from '../events.ts';
import { health } from '../health.ts';
import { apiToken } from '../management/accounts/api-token.ts';
import { applicationForm } from '../management/applications/application-form.ts';
import { applications } from '../management/applications/applications.ts';
import { commissionRuns } from '../management/commissions/commission-runs.ts';
import { commissions } from '../management/commissions/commissions.ts';
import { customers } from '../management/customers/customers.ts';
import { coupons } from '../management/links/coupons.ts';
import { links } from '../management/links/links.ts';
import { deadLetters } from '../management/monitoring/dead-letters.ts';
import { status, testChain } from '../management/monitoring/integration.ts';
import { service } from '../management/monitoring/service.ts';
import { groups } from '../management/partners/groups.ts';
import { partners } from '../management/partners/partners.ts';
import { due } from '../management/payouts/due.ts';
import { moneySums } from '../management/payouts/money-sums.ts';
import { payRuns } from '../management/payouts/pay-runs.ts';
import { payoutBatch } from '../management/payouts/payout-batch.ts';
import { payoutDetailsOfPartner } from '../management/payouts/payout-details.ts';
import { payouts } from '../management/payouts/payouts.ts';
import { personalData } from '../management/privacy/personal-data.ts';
import { processorEvents, processorReplay } from '../management/processors/processor-events.ts';
import { processors } from '../management/processors/processors.ts';
import { stripe } from '../management/processors/stripe.ts';
import { archive } from '../management/programs/archive.ts';
import { commissionRules } from '../management/programs/commission-rules.ts';
import { domain } from '../management/programs/domain.ts';
import { programs } from '../management/programs/programs.ts';
import { commissionExplanation, explanations } from '../management/reporting/explanations.ts';
import { dayNotes } from '../management/reporting/day-notes.ts';
import { partnerRanking } from '../management/reporting/partner-ranking.ts';
import { refusals } from '../management/reporting/refusals.ts';
import { runs } from '../management/runs.ts';
import { postbackOfPartner } from '../management/webhooks/postbacks.ts';
import { webhooks } from '../management/webhooks/webhooks.ts';
import { performance } from '../performance.ts';
import { readiness } from '../readiness.ts';
import { noStore, newPeopleApp } from './new-people-app.ts';

export const programApp = newPeopleApp()
	.route('/health', health)
	.route('/api/tracking/events', events)
	.route('/api/tracking/performance', performance)
	.route('/api/v1/cli', cli)
	.route('/api/v1/programs/me/readiness', readiness)
	.use('/api/v1/*', noStore)
	.route('/api/v1/programs', programs)
	.route('/api/v1/programs/:id/api-token', apiToken)
	.route('/api/v1/programs/:id/domain', domain)
	.route('/api/v1/programs/:id/commission-rules', commissionRules)
	.route('/api/v1/programs/:id/partners/performance', partnerRanking)
	.route('/api/v1/programs/:id/partners', partners)
	.route('/api/v1/programs/:id/partners/:partnerId/payout-details', payoutDetailsOfPartner)
	.route('/api/v1/programs/:id/partners/:partnerId/postback', postbackOfPartner)
	.route('/api/v1/programs/:id/groups', groups)
	.route('/api/v1/programs/:id/application-form', applicationForm)
	.route('/api/v1/programs/:id/applications', applications)
	.route('/api/v1/programs/:id/links', links)
	.route('/api/v1/programs/:id/coupons', coupons)
	.route('/api/v1/programs/:id/commissions/runs', commissionRuns)
	.route('/api/v1/programs/:id/commissions', commissions)
	.route('/api/v1/programs/:id/archive', archive)
	.route('/api/v1/programs/:id/customers', personalData)
	.route('/api/v1/programs/:id/customers', customers)
	.route('/api/v1/programs/:id/payouts/batch', payoutBatch)
	.route('/api/v1/programs/:id/payouts/due', due)
	.route('/api/v1/programs/:id/payouts/runs', payRuns)
	.route('/api/v1/programs/:id/payouts/sums', moneySums)
	.route('/api/v1/programs/:id/commissions/:commissionId/explanation', commissionExplanation)
	.route('/api/v1/programs/:id/explain', explanations)
	.route('/api/v1/programs/:id/payouts', payouts)
	.route('/api/v1/programs/:id/runs', runs)
	.route('/api/v1/programs/:id/processors', processors)
	.route('/api/v1/programs/:id/stripe', stripe)
	.route('/api/v1/programs/:id/processor-events', processorEvents)
	.route('/api/v1/programs/:id/processor-replay', processorReplay)
	.route('/api/v1/programs/:id/webhooks', webhooks)
	.route('/api/v1/programs/:id/day-notes', dayNotes)
	.route('/api/v1/programs/:id/refusals', refusals)
	.route('/api/v1/programs/:id/status', status)
	.route('/api/v1/programs/:id/test-chain', testChain)
	.route('/api/v1/dead-letters', deadLetters)
	.route('/api/v1/service', service);
