import type { Page } from 'playwright-core';
import type { Funnel, World } from './world.ts';

/** Only the shop knows the customer. Partners may see none of this. */
const CUSTOMER = { customer_key: 'secret-key-1', customer_email: 'secret@people.example' };

/** Commissions and payouts in every state that a partner can see, by id. */
export interface Earned {
	readonly pending: number;
	readonly approved: number;
	/** Paid, and refunded later: a debt. */
	readonly reversed: number;
	/** Recovered the debt. */
	readonly paid: number;
	/** In a failed payout. */
	readonly failed: number;
	readonly rejected: number;
	readonly refunded: number;
	readonly inEuros: number;
	readonly payouts: { readonly sent: number; readonly recovering: number; readonly failed: number };
}

/** Sales for Pat with every outcome, in a program that pays 20 % after 30 days. */
export async function earnOfAllKinds(world: World, funnel: Funnel): Promise<Earned> {
	const backend = world.backend(funnel);
	const { click_id } = await backend.click({ affiliate_url: `https://shop.example/?aff=${funnel.pat}` });
	await backend.lead({ customer_key: CUSTOMER.customer_key, click_id, email: CUSTOMER.customer_email });
	const sell = async (name: string, amount_cents: number, currency = 'USD') => {
		const { customer_key } = CUSTOMER;
		const { commission_id } = await backend.sale({ transaction_id: `secret-order-${name}`, amount_cents, currency, customer_key });
		return Number(commission_id);
	};
	const pay = async (commission: number) => {
		await world.manage(funnel, '/commissions/approve', { commission_ids: [commission] });
		const paid = await world.manage(funnel, '/payouts', { commission_ids: [commission] });
		return Number(Object.values(paid).map((payout) => idOf(payout))[0]);
	};
	const reversed = await sell('reversed', 10_000);
	const sent = await pay(reversed);
	await world.manage(funnel, `/payouts/${sent}/sent`, { reference: 'wire 7' });
	await backend.refund({ transaction_id: 'secret-order-reversed', refund_id: 'secret-refund-1', refund_reason: 'Broken cup' });
	const paid = await sell('paid', 30_000);
	const recovering = await pay(paid);
	const failed = await sell('failed', 50_000);
	const failedPayout = await pay(failed);
	await world.manage(funnel, `/payouts/${failedPayout}/failed`, { reason: 'The account is closed' });
	const rejected = await sell('rejected', 20_000);
	await world.manage(funnel, '/commissions/reject', { commission_ids: [rejected], reason: 'Own order' });
	const refunded = await sell('refunded', 10_000);
	await backend.refund({ transaction_id: 'secret-order-refunded', refund_amount_cents: 3_000, refund_reason: 'Too small' });
	const approved = await sell('approved', 8_000);
	await world.manage(funnel, '/commissions/approve', { commission_ids: [approved] });
	const inEuros = await sell('euros', 5_000, 'EUR');
	const pending = await sell('pending', 7_000);
	await earnNothing(world, funnel, () => sell('nothing', 9_000));
	return { pending, approved, reversed, paid, failed, rejected, refunded, inEuros, payouts: { sent, recovering, failed: failedPayout } };
}

async function earnNothing(world: World, funnel: Funnel, sell: () => Promise<unknown>): Promise<void> {
	const [pat] = await world.service.rows<{ id: number }>(
		'SELECT partner_id AS id FROM partner_programs WHERE id = ?',
		funnel.partnerProgramId,
	);
	const set = (status: string) => world.manage(funnel, '/partners/status', { partner_ids: [pat?.id], status, reason: 'Looking into it' });
	await set('suspended');
	await sell();
	await set('active');
}

function idOf(payout: unknown): unknown {
	return typeof payout === 'object' && payout !== null && 'id' in payout ? payout.id : undefined;
}

/** Every value that could reveal the customer. */
export async function secretsOf(world: World): Promise<string[]> {
	const queries = [
		'SELECT customer_key AS secret FROM customers',
		'SELECT email AS secret FROM customers',
		'SELECT email_hash AS secret FROM customers',
		'SELECT click_id AS secret FROM customers',
		'SELECT click_id AS secret FROM affiliate_click_events',
		'SELECT processor_event_id AS secret FROM affiliate_sale_events',
		'SELECT refund_id AS secret FROM refund_events',
	];
	const found = await Promise.all(queries.map((query) => world.service.rows<{ secret: string | null }>(query)));
	const known = found.flat().flatMap(({ secret }) => (secret !== null && secret.length > 3 ? [secret] : []));
	return [...new Set(['secret', CUSTOMER.customer_email, ...known])];
}

/** Collects the API responses that a page receives from now on. */
export function answersTo(page: Page): { readonly path: string; readonly status: number; readonly text: Promise<string> }[] {
	const answers: { path: string; status: number; text: Promise<string> }[] = [];
	page.on('response', (response) => {
		const { pathname } = new URL(response.url());
		// Responses to a closed page cannot be read.
		if (pathname.startsWith('/api/')) answers.push({ path: pathname, status: response.status(), text: response.text().catch(() => '') });
	});
	return answers;
}
