import { BUSY_PARTNER, quietPartner, type Size } from './size.ts';

// Calls that change or search many things at once.

export interface Write {
	readonly as: 'owner' | 'key' | 'nobody';
	readonly method: 'POST' | 'PATCH' | 'DELETE';
	readonly path: string;
	readonly body?: object;
}

export type FindIds = (query: string) => Promise<readonly number[]>;

const PROGRAM = '/api/v1/programs/1';

function post(path: string, body: object = {}): Write {
	return { as: 'owner', method: 'POST', path: `${PROGRAM}${path}`, body };
}

/** Calls by operationId, in the order in which they are sent. Each works with the data that earlier ones have left. */
export async function writesOf(size: Size, find: FindIds): Promise<Readonly<Record<string, readonly Write[]>>> {
	const ofPartner = (partner: number, status: string) =>
		find(`SELECT id FROM commissions WHERE partner_program_id = ${partner} AND status = '${status}'`);
	const commissions = (status: string, rest: string) =>
		find(`SELECT id FROM commissions WHERE program_id = 1 AND status = '${status}' AND partner_program_id > 100 ${rest} LIMIT 500`);
	const partners = await find(
		"SELECT partner_id AS id FROM partner_programs WHERE program_id = 1 AND id BETWEEN 2000 AND 2400 AND status = 'active' LIMIT 200",
	);
	const open = await find("SELECT id FROM partner_applications WHERE status = 'open' LIMIT 200");
	const unsent = await find('SELECT id FROM payouts WHERE sent_at IS NULL AND failed_at IS NULL LIMIT 200');
	const payable = await commissions('approved', 'AND id % 2 = 0');
	const pending = await find("SELECT id FROM commissions WHERE program_id = 1 AND status = 'pending'");
	const pendingOfBusy = await ofPartner(BUSY_PARTNER, 'pending');
	return {
		// The call only starts the run; the crons continue it.
		startDecisionRun: [post('/commissions/runs', { decision: 'approve', filter: { status: 'pending' }, expected_count: pending.length })],
		startPayRun: [post('/payouts/runs', { minimum_cents: 1_000 })],
		approveCommissions: [
			post('/commissions/approve', { commission_ids: await commissions('pending', '') }),
			post('/commissions/approve', { filter: { status: 'pending', partner_id: BUSY_PARTNER }, expected_count: pendingOfBusy.length }),
		],
		rejectCommissions: [post('/commissions/reject', { commission_ids: await commissions('approved', 'AND id % 2 = 1') })],
		makePayouts: [post('/payouts', { commission_ids: payable }), post('/payouts', { partner_ids: [BUSY_PARTNER, quietPartner(size)] })],
		markPayoutsSent: [post('/payouts/sent', { payout_ids: unsent })],
		changePartnerStatuses: [post('/partners/status', { partner_ids: partners, status: 'suspended' })],
		movePartners: [post('/groups/3/partners', { partner_ids: partners })],
		ungroupPartners: [post('/groups/none/partners', { partner_ids: partners })],
		approveApplications: [post('/applications/approve', { application_ids: open.slice(0, 100) })],
		declineApplications: [post('/applications/decline', { application_ids: open.slice(100) })],
		exportCustomer: [post('/customers/export', { customer_id: 1 }), post('/customers/export', { email: 'buyer-77@mail.example' })],
		eraseCustomer: [post('/customers/erase', { customer_id: 7 }), post('/customers/erase', { email: 'buyer-78@mail.example' })],
		erasePartner: [post('/partners/137/erase')],
		endMembership: [{ as: 'owner', method: 'DELETE', path: `${PROGRAM}/partners/${BUSY_PARTNER + 1}` }],
		replayProcessorEvents: [post('/processor-replay')],
		markAllNotificationsRead: [{ as: 'owner', method: 'PATCH', path: '/api/v1/notifications', body: {} }],
	};
}

function tracked(route: string, body: object): Write {
	return { as: 'key', method: 'POST', path: `/api/v1/track/${route}`, body };
}

/** Calls that pages and backends make often. `clickId` belongs to a stored click. */
export function trackingOf(clickId: string) {
	return {
		trackClick: { as: 'nobody', method: 'POST', path: '/api/v1/track/click', body: { affiliate_url: 'https://shop-1.example/?aff=p7' } },
		trackLead: tracked('lead', { click_id: clickId, customer_key: 'somebody-new' }),
		trackSale: tracked('sale', { transaction_id: 'order-new', amount_cents: 9_900, customer_key: 'somebody-new' }),
		trackRefund: tracked('refund', { transaction_id: 'order-new' }),
	} as const satisfies Readonly<Record<string, Write>>;
}
