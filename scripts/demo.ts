import { randomBytes } from 'node:crypto';
import { clickOf } from './demo/click.ts';
import { worldOfArguments } from './demo/options.ts';
import { referralUrl, signIn } from './demo/world.ts';
import { runScript } from '../testing/failure.ts';
import { say, strong } from './demo/terminal.ts';
import { type Funnel, walk } from './demo/walk.ts';

// npm run demo: walks through the funnel over HTTP and checks each response. Every run uses new ids, so it can be repeated.

await runScript(demo);

async function demo(): Promise<number> {
	const world = worldOfArguments('demo');
	const funnel: Funnel = { world, session: await signIn(world) };
	say(strong(`Walking the funnel of program ${world.programId} at ${world.url}`));
	say('The partner earns 20 % of every sale. Amounts are sent in cents.');

	const run = randomBytes(4).toString('hex');
	const customer = { customer_key: `customer-${run}` };
	const subscription = { subscription_id: `sub-${run}`, subscription_interval: 'monthly', sale_type: 'subscription' };
	await clickAndSignUp(funnel, customer);
	await buyAndRenew(funnel, run, { ...customer, ...subscription });
	await refund(funnel, run);
	await comeTooLate(funnel, run);

	say(`\n${strong('Every response was as expected.')} Of 198.00 USD in sales, 132.00 USD were`);
	say('refunded. Of 39.60 USD in commissions, the partner keeps 13.20 USD.');
	return 0;
}

async function clickAndSignUp(funnel: Funnel, customer: object): Promise<void> {
	const { body } = await walk(funnel, {
		title: 'A visitor follows the referral link',
		route: 'click',
		by: 'browser',
		body: { affiliate_url: referralUrl(funnel.world) },
		expect: { status: 200, body: { success: true, cookie_window_days: 60 } },
	});
	const clickId = String(body['click_id']);
	await walk(funnel, {
		title: 'The visitor signs up, which records a lead',
		route: 'lead',
		by: 'browser',
		body: { click_id: clickId, ...customer, email: 'visitor@example.com' },
		expect: { status: 200, body: { success: true } },
	});
}

async function buyAndRenew(funnel: Funnel, run: string, buyer: object): Promise<void> {
	const sale = { transaction_id: `order-${run}`, amount_cents: 9_900, ...buyer };
	await walk(funnel, {
		title: 'The customer buys a subscription',
		route: 'sale',
		by: 'backend',
		body: sale,
		expect: { status: 200, body: { success: true, commission_id: 'a number' } },
		moves: 1_980,
	});
	await walk(funnel, {
		title: 'The backend reports the same payment again: no second commission',
		route: 'sale',
		by: 'backend',
		body: sale,
		expect: { status: 409, body: { error: 'Duplicate transaction_id. This sale has already been recorded.' } },
	});
	await walk(funnel, {
		title: 'The subscription renews',
		route: 'sale',
		by: 'backend',
		body: { ...sale, transaction_id: `renewal-${run}`, is_recurring: true },
		expect: { status: 200, body: { success: true, commission_id: 'a number' } },
		moves: 1_980,
	});
}

async function refund(funnel: Funnel, run: string): Promise<void> {
	await walk(funnel, {
		title: 'A third of the renewal is refunded: a third of its commission is deducted',
		route: 'refund',
		by: 'backend',
		body: { transaction_id: `renewal-${run}`, refund_amount_cents: 3_300, refund_reason: 'Goodwill' },
		expect: { status: 200, body: { success: true, status: 'refunded', deductionAmount: 6.6 } },
		moves: -660,
	});
	await walk(funnel, {
		title: 'The first payment is refunded in full',
		route: 'refund',
		by: 'backend',
		body: { transaction_id: `order-${run}` },
		expect: { status: 200, body: { success: true, status: 'reversed', deductionAmount: 19.8 } },
		moves: -1_980,
	});
	await walk(funnel, {
		title: 'The same refund is reported again and skipped',
		route: 'refund',
		by: 'backend',
		body: { transaction_id: `order-${run}` },
		expect: { status: 200, body: { success: true, status: 'skipped' } },
	});
}

async function comeTooLate(funnel: Funnel, run: string): Promise<void> {
	const customer = { customer_key: `late-${run}` };
	await walk(funnel, {
		title: 'Someone who clicked 61 days ago signs up',
		note: 'The window is 60 days. The demo signs this old click with the local secret.',
		route: 'lead',
		by: 'browser',
		body: { click_id: await clickOf(funnel.world, 61), ...customer },
		expect: { status: 200, body: { success: true } },
	});
	await walk(funnel, {
		title: 'They buy: the sale is recorded but earns no commission',
		route: 'sale',
		by: 'backend',
		body: { transaction_id: `late-${run}`, amount_cents: 9_900, ...customer },
		expect: { status: 200, body: { success: true, commission_id: null } },
	});
}
