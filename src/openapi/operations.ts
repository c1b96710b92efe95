import type { Operation } from './operation.ts';
import { apiToken } from './routes/api-token.ts';
import { applicationForm } from './routes/application-form.ts';
import { applications } from './routes/applications.ts';
import { archive } from './routes/archive.ts';
import { auditLog } from './routes/audit-log.ts';
import { auth } from './routes/auth.ts';
import { cli } from './routes/cli.ts';
import { clicks } from './routes/clicks.ts';
import { commissionRules } from './routes/commission-rules.ts';
import { commissionRuns } from './routes/commission-runs.ts';
import { commissions } from './routes/commissions.ts';
import { coupons } from './routes/coupons.ts';
import { customers } from './routes/customers.ts';
import { deadLetters } from './routes/dead-letters.ts';
import { document } from './routes/document.ts';
import { domain } from './routes/domain.ts';
import { due } from './routes/due.ts';
import { events } from './routes/events.ts';
import { groups } from './routes/groups.ts';
import { explanations } from './routes/explanations.ts';
import { health } from './routes/health.ts';
import { integration } from './routes/integration.ts';
import { invitations } from './routes/invitations.ts';
import { leads } from './routes/leads.ts';
import { links } from './routes/links.ts';
import { managementWebhooks } from './routes/management-webhooks.ts';
import { mailPreferences } from './routes/mail-preferences.ts';
import { me } from './routes/me.ts';
import { members } from './routes/members.ts';
import { notifications } from './routes/notifications.ts';
import { ownData } from './routes/own-data.ts';
import { partnerCommissions } from './routes/partner-commissions.ts';
import { partnerLinks } from './routes/partner-links.ts';
import { endOfPostback, ownPostback, postbackOfPartner } from './routes/postbacks.ts';
import { partnerPayouts } from './routes/partner-payouts.ts';
import { partnerRanking } from './routes/partner-ranking.ts';
import { partnerPrograms } from './routes/partner-programs.ts';
import { partnerSales } from './routes/partner-sales.ts';
import { partners } from './routes/partners.ts';
import { passwordReset } from './routes/password-reset.ts';
import { payoutDetails } from './routes/payout-details.ts';
import { payoutBatch } from './routes/payout-batch.ts';
import { payouts } from './routes/payouts.ts';
import { payRuns } from './routes/pay-runs.ts';
import { performance } from './routes/performance.ts';
import { processorEvents } from './routes/processor-events.ts';
import { processors } from './routes/processors.ts';
import { personalData } from './routes/personal-data.ts';
import { programs } from './routes/programs.ts';
import { publicPages } from './routes/public-pages.ts';
import { readiness } from './routes/readiness.ts';
import { redirect } from './routes/redirect.ts';
import { refunds } from './routes/refunds.ts';
import { refusals } from './routes/refusals.ts';
import { runs } from './routes/runs.ts';
import { sales } from './routes/sales.ts';
import { scripts } from './routes/scripts.ts';
import { service } from './routes/service.ts';
import { stripe } from './routes/stripe.ts';
import { webhooks } from './routes/webhooks.ts';
import { workspaces } from './routes/workspaces.ts';

/** Every route, in the order of the document, which is the order in which the examples are sent. */
export const OPERATIONS: readonly Operation[] = [
	// While the clock of the examples has just run.
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
