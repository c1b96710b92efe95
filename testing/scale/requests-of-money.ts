import { DAY_MS } from '../../src/domain/calendar.ts';
import { type Cases, type Named, NOWHERE, PAGES, PROGRAM } from './cases.ts';
import { quietPartner } from './size.ts';

export function ofMoney({ plan, payoutId, commissionId, clickId }: Named): Cases {
	const quiet = quietPartner(plan);
	const ago = (days: number) => new Date(plan.now - days * DAY_MS).toISOString();
	const commissionFilters = [
		'',
		'partner_id=1',
		`partner_id=${quiet}`,
		'currency=EUR',
		'currency=GBP',
		`payout_id=${payoutId}`,
		'search=order-1234',
		'search=customer-77',
		'search=partner-1@partners.example',
		`search=${NOWHERE}`,
		`from=${ago(30)}`,
		`from=${ago(390)}&to=${ago(380)}`,
	];
	return {
		listCommissions: [
			{
				path: `${PROGRAM}/commissions`,
				queries: [
					...commissionFilters,
					'limit=200',
					'cursor=60',
					'cursor=25000&limit=200',
					...['pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded'].map((status) => `status=${status}`),
					`partner_id=${quiet}&status=rejected`,
					'partner_id=1&status=rejected&currency=EUR',
				],
				csv: ['', 'status=rejected', `partner_id=${quiet}`],
			},
		],
		summarizeCommissions: [{ path: `${PROGRAM}/commissions/summary`, queries: commissionFilters }],
		readCommission: [{ path: `${PROGRAM}/commissions/${commissionId}` }],
		explainCommission: [{ path: `${PROGRAM}/commissions/${commissionId}/explanation` }],
		explainId: [
			{
				path: `${PROGRAM}/explain`,
				queries: [
					'transaction_id=order-1234',
					'customer_key=customer-1',
					`click_id=${clickId}`,
					'payment_id=pi_1200',
					`transaction_id=${NOWHERE}`,
					`customer_key=${NOWHERE}`,
				],
			},
		],
		listCustomers: [
			{
				path: `${PROGRAM}/customers`,
				queries: [
					'',
					'limit=200',
					'status=lead',
					'status=conversion',
					'status=click',
					'partner_id=1',
					`partner_id=${quiet}`,
					`partner_id=${quiet}&status=lead`,
					'search=customer-77',
					'search=buyer-9',
					'search=buyer-99@mail.example',
					`search=${NOWHERE}`,
					`from=${ago(2)}`,
					`from=${ago(300)}&to=${ago(299)}`,
				],
				csv: ['', `partner_id=${quiet}`],
			},
		],
		readCustomer: [{ path: `${PROGRAM}/customers/1`, queries: ['', 'limit=200'] }, { path: `${PROGRAM}/customers/${plan.customers - 1}` }],
		listPayouts: [
			{
				path: `${PROGRAM}/payouts`,
				queries: [
					...PAGES,
					'status=made',
					'status=sent',
					'status=failed',
					'status=settled',
					'partner_id=1',
					`partner_id=${quiet}`,
					'currency=EUR',
					'currency=GBP',
					'method=paypal',
					'method=bank',
					'method=none',
					`partner_id=${quiet}&status=failed`,
				],
				csv: ['', 'partner_id=1'],
			},
		],
		planPayoutFile: [
			{
				path: `${PROGRAM}/payouts/batch`,
				queries: ['method=paypal&currency=USD', 'method=wise&currency=EUR&source_currency=USD', 'method=paypal&currency=USD&status=sent'],
			},
		],
		listDue: [
			{
				path: `${PROGRAM}/payouts/due`,
				queries: [
					'',
					'limit=200',
					'cursor=12000.USD&limit=200',
					'show=left_out&limit=200',
					'status=suspended',
					'status=ended',
					'group_id=1',
					'method=paypal',
					'method=none',
					'partner_ids=1',
					`partner_ids=${quiet}`,
					'search=partner',
					`search=${NOWHERE}`,
					'minimum_cents=1000000',
				],
			},
		],
		sumDue: [{ path: `${PROGRAM}/payouts/due/sums`, queries: ['', `partner_ids=${quiet}`, 'group_id=1', 'minimum_cents=1000000'] }],
		sumMoney: [{ path: `${PROGRAM}/payouts/sums` }],
		previewPayouts: [
			{
				path: `${PROGRAM}/payouts/preview`,
				queries: [`partner_ids=${quiet}`, 'partner_ids=1', `before=${ago(140).slice(0, 10)}`],
			},
			// Refused, because more commissions are due than one request pays.
			{ path: `${PROGRAM}/payouts/preview`, queries: ['', 'minimum_cents=1000000'], status: 400 },
		],
		readPayout: [{ path: `${PROGRAM}/payouts/${payoutId}` }],
		listRuns: [{ path: `${PROGRAM}/runs`, queries: [...PAGES, 'kind=pay', 'kind=reject', 'state=running', 'kind=pay&state=failed'] }],
		readRun: [{ path: `${PROGRAM}/runs/1` }],
		listRunResults: [{ path: `${PROGRAM}/runs/1/results`, queries: ['', 'limit=200', 'outcome=paid', 'outcome=below_minimum'] }],
	};
}
