import { partnerCommissions } from '../management/partner-programs/partner-commissions.ts';
import { partnerCoupons } from '../management/partner-programs/partner-coupons.ts';
import { partnerLinks } from '../management/partner-programs/partner-links.ts';
import { partnerPayouts } from '../management/partner-programs/partner-payouts.ts';
import { partnerPrograms } from '../management/partner-programs/partner-programs.ts';
import { partnerSales } from '../management/partner-programs/partner-sales.ts';
import { publicPages } from '../management/programs/public-pages.ts';
import { ownPostback } from '../management/webhooks/postbacks.ts';
import { programPages } from '../program-pages.ts';
import { noStore, newPeopleApp } from './new-people-app.ts';

/** Also for visitors of public program pages. */
export const partnerApp = newPeopleApp()
	.route('/p', programPages)
	.use('/api/v1/*', noStore)
	.route('/api/v1/public', publicPages)
	.route('/api/v1/partner-programs', partnerPrograms)
	.route('/api/v1/partner-programs/:id/links', partnerLinks)
	.route('/api/v1/partner-programs/:id/coupons', partnerCoupons)
	.route('/api/v1/partner-programs/:id/commissions', partnerCommissions)
	.route('/api/v1/partner-programs/:id/unearned-sales', partnerSales)
	.route('/api/v1/partner-programs/:id/payouts', partnerPayouts)
	.route('/api/v1/partner-programs/:id/postback', ownPostback);
