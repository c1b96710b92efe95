import { DAY_MS, HOUR_MS } from '../../src/domain/calendar.ts';
import { OWNER_ID, type Plan, PROGRAM_ID } from './size.ts';
import { clickIdOf, dayOf, draw, inParts, instantOf, numbers, partnerOf } from './sql.ts';

// Each row is in its final state.

const HOLD_DAYS = 14;
/** Older commissions are paid, in one payout per cycle. */
const UNPAID_DAYS = 150;
const CYCLE_DAYS = 30;
/** Per small program. */
const SMALL_SALES = 3;

export function fillSales(plan: Plan): string[] {
	return [
		...fillClicks(plan),
		...fillCustomers(plan),
		...fillOwnSales(plan),
		...fillSmallSales(plan),
		`UPDATE customers SET status = 'conversion', first_purchase_date = bought.day
			FROM (SELECT customer_id, min(sale_day) AS day FROM affiliate_sale_events WHERE is_test = 0 GROUP BY customer_id) AS bought WHERE bought.customer_id = customers.id`,
		fillPayouts(plan),
		FILL_PAYOUT_SUMS,
		...fillCommissions(plan),
		...fillRefunds(plan),
	];
}

function fillClicks(plan: Plan): string[] {
	const { clicks, partners, smallPrograms } = plan;
	const at = instantOf(plan, 'i', clicks);
	const columns =
		'click_id, id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day, page_url, page_title, referrer_url, user_agent, language, timezone, country, source, sub_id';
	const visit = `'https://shop-1.example/pricing', 'Pricing', 'https://source-' || i % 40 || '.example/', 'Mozilla/5.0 Firefox/140.0', 'en', 'Europe/Berlin',
		substr('DEUSGBFRESITNLPLSEATCHBE', 1 + 2 * CAST(12 * ${draw('i', 2)} AS INTEGER), 2), iif(i % 10 < 3, NULL, 'source-' || i % 40 || '.example'), iif(i % 3, NULL, 'sub-' || i % 50)`;
	return [
		...inParts(
			clicks,
			({ from, to }) =>
				`${numbers(from, to)} INSERT INTO affiliate_click_events (${columns})
				SELECT ${clickIdOf('i')}, i, ${PROGRAM_ID}, 2 * ${partnerOf(plan, 'i')} - i % 2, i % 1000 = 999, i % 50 = 49, ${at}, ${dayOf(at)}, ${visit} FROM n`,
		),
		`${numbers(2, smallPrograms + 1)} INSERT INTO affiliate_click_events (${columns})
			SELECT ${clickIdOf(`${clicks} + i`)}, ${clicks} + i, i, ${2 * partners} + i, 0, 0, ${instantOf(plan, 'i', smallPrograms + 1)}, ${dayOf(instantOf(plan, 'i', smallPrograms + 1))}, ${visit} FROM n`,
		`INSERT INTO click_count (id, clicks) VALUES (1, ${clicks + smallPrograms}) ON CONFLICT (id) DO UPDATE SET clicks = excluded.clicks`,
	];
}

/** Each customer signed up an hour after their own click. A small program has one customer. */
function fillCustomers(plan: Plan): string[] {
	const { clicks, customers, smallPrograms } = plan;
	const step = 2 * Math.floor(clicks / customers / 2);
	const columns =
		'id, program_id, customer_key, status, signup_date, partner_program_id, referral_link_id, click_id, clicked_at, click_sequence, country, source, email_hash, email, created_at';
	const at = `c.clicked_at + ${HOUR_MS}`;
	const insert = (id: string, program: string, partner: string) =>
		`INSERT INTO customers (${columns})
		SELECT ${id}, ${program}, 'customer-' || i, 'lead', ${dayOf(at)}, ${partner}, c.referral_link_id, c.click_id, c.clicked_at, 0, c.country, c.source, 'hash-' || ${id}, 'buyer-' || i || '@mail.example', ${at}
		FROM n JOIN affiliate_click_events c ON c.click_id =`;
	const lead = 'INSERT INTO affiliate_lead_events (id, program_id, customer_id, click_id, customer_key, is_test, created_at, op_id)';
	const at100 = instantOf(plan, 'i', 400);
	return [
		...inParts(
			customers,
			({ from, to }) =>
				`${numbers(from, to)} ${insert('i', String(PROGRAM_ID), '(c.referral_link_id + 1) / 2')} ${clickIdOf(`i * ${step}`)}`,
		),
		`${numbers(2, smallPrograms + 1)} ${insert(`${customers} + i`, 'i', `${plan.partners} + i`)} ${clickIdOf(`${clicks} + i`)}`,
		`${lead} SELECT id, program_id, id, click_id, customer_key, 0, created_at, 'fill-lead-' || id FROM customers ORDER BY id`,
		`${numbers(1, 400)} ${lead} SELECT (SELECT max(id) FROM customers) + i, ${PROGRAM_ID}, NULL, NULL, 'test-' || i, 1, ${at100}, 'fill-test-lead-' || i FROM n`,
	];
}

const SALE_COLUMNS =
	'id, program_id, processor_event_id, is_test, customer_id, partner_program_id, amount_cents, currency, sale_type, is_recurring, subscription_id, subscription_interval, product_id, inside_window, commission_state, no_commission_reason, refunded_cents, reported_refund_cents, created_at, sale_day, op_id';

/**
 * Sales in order of time, by customers who had signed up. Every hundredth sale is by the first customer. One in five customers buys
 * nothing.
 */
function fillOwnSales(plan: Plan): string[] {
	const { customers, sales } = plan;
	const at = `(${instantOf(plan, 'i', sales)} + ${2 * HOUR_MS})`;
	const drawn = `(1 + CAST(${draw('i', 1)} * max(1, ${customers} * i / ${sales}) AS INTEGER))`;
	const buyer = `iif(i % 100 = 0, 1, ${drawn} - (${drawn} % 5 = 0))`;
	const amount = `(1000 + CAST(${draw('i', 3)} * 200 AS INTEGER) * 100)`;
	const isRenewal = '(i % 5 IN (1, 2))';
	const isOpen = `${at} >= ${plan.now - UNPAID_DAYS * DAY_MS}`;
	// Every 25th sale earns nothing, and is never refunded.
	const refunded = `(CASE WHEN i % 25 = 24 THEN 0 WHEN i % 33 = 0 AND ${isOpen} THEN ${amount} WHEN i % 33 = 1 AND ${isOpen} THEN ${amount} / 2 ELSE 0 END)`;
	return [
		...inParts(
			sales,
			({ from, to }) =>
				`${numbers(from, to)} INSERT INTO affiliate_sale_events (${SALE_COLUMNS})
				SELECT i, ${PROGRAM_ID}, 'order-' || i, 0, c.id, c.partner_program_id, ${amount}, iif(i % 40 = 3, 'EUR', 'USD'), iif(${isRenewal}, 'subscription', 'payment'), ${isRenewal},
					iif(${isRenewal}, 'sub_' || c.id, NULL), iif(${isRenewal}, 'monthly', NULL), iif(i % 10, 'product-' || (1 + i % 40), NULL), 1,
					iif(i % 25 = 24, 'none', 'made'), iif(i % 25 = 24, iif(i % 2, 'window_expired', 'partner_suspended'), NULL), ${refunded}, ${refunded}, ${at}, ${dayOf(at)}, 'fill-sale-' || i
				FROM n JOIN customers c ON c.id = ${buyer}`,
		),
		...inParts(
			sales >> 1,
			({ from, to }) =>
				`${numbers(from, to)} INSERT INTO sale_aliases (alias, is_test, sale_id, created_at) SELECT 'pi_' || s.id, 0, s.id, s.created_at FROM n JOIN affiliate_sale_events s ON s.id = 2 * i`,
		),
	];
}

/** The small programs' sales, and test sales of the large one. */
function fillSmallSales(plan: Plan): string[] {
	const { customers, sales, smallPrograms } = plan;
	const count = SMALL_SALES * smallPrograms;
	const at = `(${instantOf(plan, 'i', count)} + ${2 * HOUR_MS})`;
	const insert = `INSERT INTO affiliate_sale_events (${SALE_COLUMNS})`;
	return [
		`${numbers(1, count)} ${insert}
			SELECT ${sales} + i, c.program_id, 'small-' || i, 0, c.id, c.partner_program_id, 5000, 'USD', 'payment', 0, NULL, NULL, NULL, 1, 'made', NULL, 0, 0,
				max(${at}, c.created_at), ${dayOf(`max(${at}, c.created_at)`)}, 'fill-sale-' || (${sales} + i)
			FROM n JOIN customers c ON c.id = ${customers} + 2 + i % ${smallPrograms}`,
		`${numbers(1, 400)} ${insert}
			SELECT ${sales + count} + i, ${PROGRAM_ID}, 'test-' || i, 1, NULL, NULL, 5000, 'USD', 'payment', 0, NULL, NULL, NULL, 1, 'none', 'test_mode', 0, 0,
				${instantOf(plan, 'i', 400)}, ${dayOf(instantOf(plan, 'i', 400))}, 'fill-test-' || i FROM n`,
	];
}

/** How many cycles ago an old sale was paid. */
function cycleOf({ now }: Plan): string {
	return `((${now - UNPAID_DAYS * DAY_MS} - s.created_at) / ${CYCLE_DAYS * DAY_MS})`;
}

/** One payout per partner, currency and cycle. The payouts of the last cycle are unsent, and a few earlier ones failed. */
function fillPayouts(plan: Plan): string {
	const cutoff = plan.now - UNPAID_DAYS * DAY_MS;
	const at = `(${cutoff + DAY_MS} - cycle * ${CYCLE_DAYS * DAY_MS})`;
	const isFailed = '(cycle > 1 AND partner_program_id % 97 = 5)';
	return `INSERT INTO payouts (program_id, partner_program_id, currency, due_cents, recovered_cents, amount_cents, created_by, created_at, op_id, sent_at, sent_reference, failed_at, failure_reason)
		SELECT ${PROGRAM_ID}, partner_program_id, currency, sum(cents), 0, sum(cents), ${OWNER_ID}, ${at}, 'fill-payout-' || cycle,
			iif(cycle > 0, ${at} + ${DAY_MS}, NULL), iif(cycle > 0, 'batch-' || cycle, NULL), iif(${isFailed}, ${at} + ${3 * DAY_MS}, NULL), iif(${isFailed}, 'Account closed', NULL)
		FROM (
			SELECT s.partner_program_id, s.currency, s.amount_cents / 5 AS cents, ${cycleOf(plan)} AS cycle FROM affiliate_sale_events s
			WHERE s.program_id = ${PROGRAM_ID} AND s.commission_state = 'made' AND s.created_at < ${cutoff}
		) GROUP BY cycle, partner_program_id, currency ORDER BY cycle DESC, partner_program_id`;
}

/** What triggers would have kept. */
const FILL_PAYOUT_SUMS = `INSERT INTO payout_sums (program_id, sent_from, currency, payouts, amount_cents)
	SELECT program_id, coalesce(sent_at - sent_at % 900000, 0), currency, count(*), sum(amount_cents) FROM payouts
	WHERE amount_cents > 0 AND failed_at IS NULL GROUP BY 1, 2, 3`;

/** Each commission is a fifth of its sale, and has the sale's id. */
function fillCommissions(plan: Plan): string[] {
	const cutoff = plan.now - UNPAID_DAYS * DAY_MS;
	const isHeld = `s.created_at > ${plan.now - HOLD_DAYS * DAY_MS}`;
	const last = plan.sales + SMALL_SALES * plan.smallPrograms;
	const status = `CASE WHEN p.id IS NOT NULL THEN 'paid' WHEN s.refunded_cents = s.amount_cents THEN 'reversed' WHEN s.refunded_cents > 0 THEN 'refunded'
		WHEN s.id % 47 = 2 THEN 'rejected' WHEN ${isHeld} THEN 'pending' ELSE 'approved' END`;
	return inParts(
		last,
		({ from, to }) =>
			`INSERT INTO commissions (id, program_id, partner_program_id, sale_id, rule_version_id, amount_cents, currency, status, deducted_cents, status_before_refund, rejection_reason, hold_until, paid_at, payout_id, created_at, created_day)
			SELECT s.id, s.program_id, s.partner_program_id, s.id, s.program_id, s.amount_cents / 5, s.currency, ${status}, s.refunded_cents / 5,
				iif(s.refunded_cents > 0, iif(${isHeld}, 'pending', 'approved'), NULL), iif(${status} = 'rejected', 'Own purchase', NULL),
				s.created_at + ${HOLD_DAYS * DAY_MS}, p.created_at, p.id, s.created_at, s.sale_day
			FROM affiliate_sale_events s LEFT JOIN payouts p ON s.program_id = ${PROGRAM_ID} AND s.created_at < ${cutoff}
				AND p.op_id = 'fill-payout-' || ${cycleOf(plan)} AND p.partner_program_id = s.partner_program_id AND p.currency = s.currency
			WHERE s.id BETWEEN ${from} AND ${to} AND s.commission_state = 'made' AND s.is_test = 0 ORDER BY s.id`,
	);
}

function fillRefunds(plan: Plan): string[] {
	const at = `min(s.created_at + ${2 * DAY_MS}, ${plan.now - 1_000})`;
	return [
		`INSERT INTO refund_events (program_id, sale_id, refund_id, is_test, amount_cents, reported_cents, deduction_cents, outcome, reason, created_at, refund_day, op_id)
			SELECT s.program_id, s.id, 're_' || s.id, 0, s.refunded_cents, s.refunded_cents, s.refunded_cents / 5, iif(s.refunded_cents = s.amount_cents, 'reversed', 'refunded'), 'Sent back', ${at}, ${dayOf(at)}, 'fill-refund-' || s.id
			FROM affiliate_sale_events s WHERE s.refunded_cents > 0 ORDER BY s.id`,
	];
}
