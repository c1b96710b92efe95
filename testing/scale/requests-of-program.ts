import { type Cases, type Named, NOWHERE, PAGES, PROGRAM } from './cases.ts';
import { BUSY_PARTNER, quietPartner } from './size.ts';

// Requests about a program, except those about money and reports.

export function ofProgram({ plan }: Named): Cases {
	const quiet = quietPartner(plan);
	const groupOf = 'group_id=3';
	return {
		readProgram: [{ path: PROGRAM }],
		listProgramKeys: [{ path: `${PROGRAM}/api-token` }],
		readApplicationForm: [{ path: `${PROGRAM}/application-form` }],
		listApplications: [
			{
				path: `${PROGRAM}/applications`,
				queries: [...PAGES, 'status=open', 'status=declined', 'search=blogs', `search=${NOWHERE}`, `status=open&search=${NOWHERE}`],
				csv: ['', 'status=open'],
			},
		],
		countApplications: [{ path: `${PROGRAM}/applications/summary` }],
		listCommissionRules: [{ path: `${PROGRAM}/commission-rules`, queries: ['', 'limit=200'] }],
		previewRulesByLine: [{ path: `${PROGRAM}/commission-rules/by-line` }],
		dryRunCommissionRules: [
			{
				path: `${PROGRAM}/commission-rules/dry-run`,
				queries: ['amount_cents=5000', 'amount_cents=5000&partner_id=1&product_id=product-3'],
			},
		],
		listRuleVersions: [{ path: `${PROGRAM}/commission-rules/1/versions` }],
		listCoupons: [
			{
				path: `${PROGRAM}/coupons`,
				queries: [
					...PAGES,
					'partner_id=1',
					`partner_id=${quiet}`,
					'search=CODE99',
					`search=${NOWHERE}`,
					'archived=true',
					'partner_id=1&archived=false',
				],
				csv: ['', 'partner_id=1'],
			},
		],
		readProgramDomain: [{ path: `${PROGRAM}/domain` }],
		listGroups: [{ path: `${PROGRAM}/groups` }],
		listLinks: [{ path: `${PROGRAM}/links`, queries: [...PAGES, 'partner_id=1', `partner_id=${quiet}`] }],
		listPartners: [
			{
				path: `${PROGRAM}/partners`,
				queries: [
					...PAGES,
					'status=suspended',
					'status=ended&sort=oldest',
					groupOf,
					'sort=oldest',
					'sort=name',
					'sort=name&status=ended',
					'search=partner-19999',
					'search=Media',
					`search=${NOWHERE}`,
					`search=${NOWHERE}&${groupOf}&sort=name`,
				],
			},
		],
		readPartner: [{ path: `${PROGRAM}/partners/${BUSY_PARTNER}` }, { path: `${PROGRAM}/partners/${quiet}` }],
		readPostbackOfPartner: [{ path: `${PROGRAM}/partners/${BUSY_PARTNER}/postback` }],
		listPostbackDeliveriesOfPartner: [{ path: `${PROGRAM}/partners/${BUSY_PARTNER}/postback/deliveries`, queries: PAGES }],
		listProcessorEvents: [
			{
				path: `${PROGRAM}/processor-events`,
				queries: [
					...PAGES,
					'state=refused',
					'state=failed&limit=200',
					'state=waiting',
					'state=received',
					'state=applied',
					'type=invoice.paid',
					'type=charge.dispute.created',
					`type=${NOWHERE}`,
					'event_id=evt_12',
					'event_id=evt_nothing',
					'processor=paddle',
					'test=true',
					'processor=stripe&event_id=evt_12',
				],
			},
		],
		readProcessorEvent: [{ path: `${PROGRAM}/processor-events/${plan.otherRows}` }],
		listProcessors: [{ path: `${PROGRAM}/processors` }],
		readProcessor: [{ path: `${PROGRAM}/processors/stripe` }],
		readStripe: [{ path: `${PROGRAM}/stripe` }],
		listRefusals: [
			{
				path: `${PROGRAM}/refusals`,
				queries: [...PAGES, 'operation=refund', `transaction_id=${NOWHERE}`, `customer_key=${NOWHERE}`],
				csv: [''],
			},
		],
		readProgramStatus: [{ path: `${PROGRAM}/status` }],
		readStatus: [{ as: 'key', path: '/api/v1/cli/status' }],
		readReadiness: [{ as: 'key', path: '/api/v1/programs/me/readiness', queries: ['', 'force_recheck=true'] }],
		watchTestChain: [{ path: `${PROGRAM}/test-chain` }],
		listWebhooks: [{ path: `${PROGRAM}/webhooks` }],
		listWebhookTypes: [{ path: `${PROGRAM}/webhooks/types` }],
		readWebhook: [{ path: `${PROGRAM}/webhooks/1` }],
		listWebhookDeliveries: [
			{
				path: `${PROGRAM}/webhooks/1/deliveries`,
				queries: [
					...PAGES,
					'status=failed',
					'status=pending',
					'status=delivered',
					'type=sale.created',
					'type=payout.failed',
					'type=partner.applied',
					'status=failed&type=payout.failed',
				],
			},
			{ path: `${PROGRAM}/webhooks/2/deliveries` },
		],
		readWebhookDelivery: [{ path: `${PROGRAM}/webhooks/1/deliveries/77` }],
		listErasures: [{ path: `${PROGRAM}/customers/erasures`, queries: PAGES }],
		archiveProgram: [{ path: `${PROGRAM}/archive`, queries: ['limit=200'] }],
	};
}
