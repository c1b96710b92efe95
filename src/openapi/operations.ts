import type { Operation } from './operation.ts';
import { apiToken } from './routes/accounts/api-token.ts';
import { applicationForm } from './routes/applications/application-form.ts';
import { applications } from './routes/applications/applications.ts';
import { archive } from './routes/programs/archive.ts';
import { auditLog } from './routes/accounts/audit-log.ts';
import { auth } from './routes/accounts/auth.ts';
import { cli } from './routes/monitoring/cli.ts';
import { clicks } from './routes/tracking/clicks.ts';
import { commissionRules } from './routes/programs/commission-rules.ts';
import { commissionRuns } from './routes/commissions/commission-runs.ts';
import { commissions } from './routes/commissions/commissions.ts';
import { coupons } from './routes/links/coupons.ts';
import { customers } from './routes/customers/customers.ts';
import { dayNotes } from './routes/reporting/day-notes.ts';
import { deadLetters } from './routes/monitoring/dead-letters.ts';
import { document } from './routes/document.ts';
import { domain } from './routes/programs/domain.ts';
import { due } from './routes/payouts/due.ts';
import { events } from './routes/reporting/events.ts';
import { groups } from './routes/partners/groups.ts';
import { explanations } from './routes/reporting/explanations.ts';
import { health } from './routes/monitoring/health.ts';
import { integration } from './routes/monitoring/integration.ts';
import { invitations } from './routes/accounts/invitations.ts';
import { leads } from './routes/tracking/leads.ts';
import { links } from './routes/links/links.ts';
import { managementWebhooks } from './routes/webhooks/webhooks.ts';
import { mailPreferences } from './routes/notifications/mail-preferences.ts';
import { me } from './routes/accounts/me.ts';
import { members } from './routes/accounts/members.ts';
import { notifications } from './routes/notifications/notifications.ts';
import { ownData } from './routes/privacy/own-data.ts';
import { partnerCommissions } from './routes/partner-programs/partner-commissions.ts';
import { partnerLinks } from './routes/partner-programs/partner-links.ts';
import { endOfPostback, ownPostback, postbackOfPartner } from './routes/webhooks/postbacks.ts';
import { partnerPayouts } from './routes/partner-programs/partner-payouts.ts';
import { partnerRanking } from './routes/reporting/partner-ranking.ts';
import { partnerPrograms } from './routes/partner-programs/partner-programs.ts';
import { partnerSales } from './routes/partner-programs/partner-sales.ts';
import { partners } from './routes/partners/partners.ts';
import { passwordReset } from './routes/accounts/password-reset.ts';
import { payoutDetails } from './routes/payouts/payout-details.ts';
import { payoutBatch } from './routes/payouts/payout-batch.ts';
import { payouts } from './routes/payouts/payouts.ts';
import { moneySums } from './routes/payouts/money-sums.ts';
import { payRuns } from './routes/payouts/pay-runs.ts';
import { performance } from './routes/reporting/performance.ts';
import { processorEvents } from './routes/processors/processor-events.ts';
import { processors } from './routes/processors/processors.ts';
import { personalData } from './routes/privacy/personal-data.ts';
import { programs } from './routes/programs/programs.ts';
import { publicPages } from './routes/programs/public-pages.ts';
import { readiness } from './routes/monitoring/readiness.ts';
import { redirect } from './routes/tracking/redirect.ts';
import { refunds } from './routes/tracking/refunds.ts';
import { refusals } from './routes/reporting/refusals.ts';
import { runs } from './routes/runs.ts';
import { sales } from './routes/tracking/sales.ts';
import { scripts } from './routes/tracking/scripts.ts';
import { service } from './routes/monitoring/service.ts';
import { stripe } from './routes/processors/stripe.ts';
import { webhooks } from './routes/processors/stripe-webhook.ts';
import { workspaces } from './routes/accounts/workspaces.ts';

/** Every route in the document's order, in which the examples are sent. */
export const OPERATIONS: readonly Operation[] = [
	// First, because its example needs a recent run of cron.
	...health,
	...clicks,
	...leads,
	...sales,
	...refunds,
	...redirect,
	...scripts,
	...performance,
	...events,
	...cli,
	...readiness,
	...auth,
	...passwordReset,
	...me,
	...workspaces,
	...members,
	...invitations,
	...payoutDetails,
	...auditLog,
	...programs,
	...domain,
	...apiToken,
	...partnerRanking,
	...partners,
	...links,
	...coupons,
	...groups,
	...applicationForm,
	...publicPages,
	...applications,
	...commissionRules,
	...commissions,
	...commissionRuns,
	...payoutBatch,
	...payouts,
	...moneySums,
	...due,
	...runs,
	...payRuns,
	...customers,
	...personalData,
	...archive,
	...partnerPrograms,
	...partnerLinks,
	...partnerCommissions,
	...partnerSales,
	...partnerPayouts,
	...ownPostback,
	...postbackOfPartner,
	...endOfPostback,
	...processors,
	...stripe,
	...webhooks,
	...processorEvents,
	...explanations,
	...dayNotes,
	...refusals,
	...integration,
	...managementWebhooks,
	...notifications,
	...mailPreferences,
	...deadLetters,
	...service,
	...document,
	...ownData,
];
