import { DAY_MS } from '../../src/domain/calendar.ts';
import { type Case, type Cases, type Named, NOWHERE, PAGES, PROGRAM } from './cases.ts';
import { BUSY_PARTNER, quietPartner } from './size.ts';

export function ofReports({ plan, clickId }: Named): Cases {
	const quiet = quietPartner(plan);
	const ago = (days: number) => new Date(plan.now - days * DAY_MS).toISOString().slice(0, 10);
	const events = [
		'',
		'limit=200',
		'type=click',
		'type=lead',
		'type=sale',
		'type=refund',
		'test=true',
		'partner_id=1',
		`partner_id=${quiet}`,
		`link_id=${2 * quiet}`,
		'country=DE',
		'country=JP',
		'customer_id=1',
		'customer_id=99999999',
		'customer_key=customer-5',
		`customer_key=${NOWHERE}`,
		'transaction_id=order-1234',
		`transaction_id=${NOWHERE}`,
		`from=${ago(390)}T00:00:00Z&to=${ago(380)}T00:00:00Z`,
		`cursor=${plan.start + DAY_MS}.click.200`,
		'page=10&pageSize=100',
	];
	return {
		listEvents: [{ path: '/api/tracking/events/1', queries: events, csv: [`dateFrom=${ago(1)}&dateTo=${ago(0)}`] }],
		listOwnEvents: [{ as: 'key', path: '/api/v1/cli/events', queries: events }],
		readEvent: [
			{ path: '/api/tracking/events/1/sale/1234' },
			{ path: `/api/tracking/events/1/click/${clickId}` },
			{ path: '/api/tracking/events/1/lead/1234' },
		],
		readPerformance: [
			{
				path: '/api/tracking/performance/1',
				queries: [
					'period=7d',
					'period=30d',
					'period=90d',
					'period=all',
					'period=30d&compare=previous',
					'period=90d&compare=previous&match_weekdays=true',
					'period=90d&compare=last_year&match_weekdays=true',
					`period=30d&compare=custom&compare_from=${ago(700)}`,
					`period=30d&compare=custom&compare_from=${ago(700)}&link_id=1`,
					`dateFrom=${ago(0)}&dateTo=${ago(0)}`,
					...['partner', 'link', 'product', 'country', 'source'].flatMap((by) => [`period=30d&by=${by}`, `period=all&by=${by}`]),
					'period=90d&by=partner&limit=200',
					...['partner_id=1', `partner_id=${quiet}`, 'link_id=1', 'product_id=product-3', 'country=DE', 'source=source-3.example'].flatMap(
						(filter) => [`period=30d&${filter}`, `period=all&${filter}`],
					),
				],
				csv: ['period=all'],
			},
		],
		listDayNotes: [{ path: `${PROGRAM}/day-notes`, queries: ['', 'period=7d', 'period=all', `dateFrom=${ago(90)}&dateTo=${ago(1)}`] }],
		rankPartners: [
			{
				path: `${PROGRAM}/partners/performance`,
				queries: [
					'period=7d',
					'period=all',
					'period=30d&sort=name&order=asc',
					'period=30d&sort=last_active',
					'period=30d&sort=balance',
					'period=30d&status=suspended&group_id=3',
					`period=30d&search=${NOWHERE}`,
					'period=30d&search=partner-77',
				],
			},
		],
	};
}

export function ofPortal({ plan, payoutId, commissionId }: Named): Cases {
	const quiet = quietPartner(plan);
	const busyProgram = `/api/v1/partner-programs/${BUSY_PARTNER}`;
	const quietProgram = `/api/v1/partner-programs/${quiet}`;
	const both = (rest: string, queries: readonly string[] = ['']): Case[] => [
		{ as: 'busy', path: `${busyProgram}${rest}`, queries },
		{ as: 'quiet', path: `${quietProgram}${rest}`, queries },
	];
	const from = new Date(plan.now - 200 * DAY_MS).toISOString();
	return {
		readPartnerProgram: both(''),
		listOwnCommissions: both('/commissions', [
			'',
			'limit=200',
			'status=rejected',
			'status=paid',
			'currency=EUR',
			'currency=GBP',
			`from=${from}`,
			'cursor=3000',
		]),
		summarizeOwnCommissions: both('/commissions/summary', ['', 'currency=EUR', `from=${from}`]),
		readOwnCommission: [{ as: 'busy', path: `${busyProgram}/commissions/${commissionId}` }],
		listOwnCoupons: both('/coupons'),
		listOwnLinks: both('/links'),
		listOwnPayouts: both('/payouts'),
		readOwnPayout: [{ as: 'busy', path: `${busyProgram}/payouts/${payoutId}`, queries: ['', 'limit=200'] }],
		readOwnPerformance: both('/performance', ['period=7d', 'period=30d', 'period=all', 'period=90d&compare=previous']),
		readOwnPostback: [{ as: 'busy', path: `${busyProgram}/postback` }],
		listOwnPostbackDeliveries: [{ as: 'busy', path: `${busyProgram}/postback/deliveries`, queries: PAGES }],
		listUnearnedSales: both('/unearned-sales', ['', 'limit=200', `from=${from}`]),
		readPayoutDetails: [{ as: 'busy', path: `/api/v1/partner-accounts/${BUSY_PARTNER}/payout-details` }],
	};
}
