import { DAY_MS, HOUR_MS } from '../../src/domain/calendar.ts';
import { BUSY_PARTNER, OWNER_ID, type Plan, PROGRAM_ID, WORKSPACE_ID } from './size.ts';
import { inParts, instantOf, numbers } from './sql.ts';

// The rows of all other tables.

const PAYLOAD_DAYS = 30;

export function fillOtherTables(plan: Plan): string[] {
	return [
		...fillPeoplesLists(plan),
		...fillInbox(plan),
		...fillReceivers(plan),
		...fillForgotten(plan),
		...fillRuns(plan),
		...fillRetiredDays(plan),
	];
}

function fillPeoplesLists(plan: Plan): string[] {
	const { otherRows, partners } = plan;
	const at = instantOf(plan, 'i', otherRows);
	const each = (statement: string) => inParts(otherRows, ({ from, to }) => `${numbers(from, to)} ${statement}`);
	return [
		...each(`INSERT INTO audit_entries (at, workspace_id, program_id, user_id, action, subject_id, detail, address)
			SELECT ${at}, ${WORKSPACE_ID}, iif(i % 4, ${PROGRAM_ID}, NULL), 1 + i % 5, CASE WHEN i = 5 THEN 'webhook.create' WHEN i % 15 = 0 THEN 'commission_rule.change' WHEN i % 3 THEN 'commission.approve' ELSE 'partner.change' END, i, '{}', '203.0.113.7' FROM n`),
		...each(`INSERT INTO notifications (user_id, program_id, kind, detail, outbox_id, created_at)
			SELECT ${OWNER_ID}, ${PROGRAM_ID}, 'application_received', '{"application_id":' || i || ',"currency":"USD"}', 'fill-' || i, ${at} FROM n`),
		...each(`INSERT INTO notifications (partner_id, program_id, kind, detail, outbox_id, created_at, read_at)
			SELECT iif(i % 4, ${BUSY_PARTNER}, 1 + i % ${partners}), ${PROGRAM_ID}, 'commission_created', '{"commission_id":' || i || ',"amount_cents":2000,"currency":"USD"}', 'fill-' || i, ${at}, iif(i % 2, ${at} + 1, NULL) FROM n`),
		...each(`INSERT INTO dead_letters (message_id, workspace_id, program_id, body, reason, created_at, replayed_at, outcome)
			SELECT 'fill-' || i, ${WORKSPACE_ID}, ${PROGRAM_ID}, '{"version":0}', 'All retries failed', ${at}, iif(i % 500, ${at} + 1, NULL), iif(i % 500, 'dismissed', NULL) FROM n`),
		`${numbers(1, 500)} INSERT INTO alerts (kind, key, facts, began_at, ended_at) SELECT 'dead_letters', 'dead_letters', '{"count":1,"since":0}', ${instantOf(plan, 'i', 500)}, ${instantOf(plan, 'i', 500)} + 1 FROM n`,
	];
}

/** Nearly all events are settled. Only those of the last month still have their payloads. */
function fillInbox(plan: Plan): string[] {
	const { otherRows, now } = plan;
	const at = instantOf(plan, 'i', otherRows);
	const state = `CASE WHEN i % 400 = 1 THEN 'refused' WHEN i % 900 = 2 THEN 'failed' WHEN i > ${otherRows - 40} THEN 'waiting' WHEN i % 3 = 0 THEN 'ignored' ELSE 'applied' END`;
	const isOpen = `i > ${otherRows - 40} AND ${state} = 'waiting'`;
	return [
		...inParts(
			otherRows,
			({ from, to }) =>
				`${numbers(from, to)} INSERT INTO processor_events (id, program_id, processor, event_id, type, is_test, happened_at, received_at, payload, state, reason, next_attempt_at, expires_at, settled_at)
				SELECT i, ${PROGRAM_ID}, 'stripe', 'evt_' || i, CASE WHEN i = 7 THEN 'charge.dispute.created' WHEN i % 2 THEN 'invoice.paid' ELSE 'payment_intent.succeeded' END, i % 2000 = 0, ${at}, ${at},
					iif(${at} > ${now - PAYLOAD_DAYS * DAY_MS}, '{"id":"evt_' || i || '","object":"event","data":{"object":{"id":"pi_' || i || '","object":"payment_intent"}}}', NULL),
					${state}, 'Filled', iif(${isOpen}, ${now + DAY_MS}, NULL), ${at} + ${3 * DAY_MS}, iif(${isOpen}, NULL, ${at} + 1000) FROM n`,
		),
		`INSERT INTO processor_event_waits (program_id, processor_id, processor_event_id) SELECT program_id, 'pi_' || id, id FROM processor_events WHERE state = 'waiting'`,
		...inParts(
			otherRows,
			({ from, to }) =>
				`${numbers(from, to)} INSERT INTO processor_bindings (program_id, is_test, processor_id, customer_key, told_at, began_at) SELECT ${PROGRAM_ID}, 0, 'sub_' || i, 'customer-' || (1 + i % ${plan.customers}), ${at}, ${at} FROM n`,
		),
	];
}

/** Most deliveries have succeeded. */
function fillReceivers(plan: Plan): string[] {
	const { otherRows } = plan;
	const at = instantOf(plan, 'i', otherRows);
	const state = `iif(i % 7, 'delivered', 'failed')`;
	return [
		`${numbers(1, 3)} INSERT INTO webhook_endpoints (program_id, url, types, sealed_secrets, created_at) SELECT ${PROGRAM_ID}, 'https://hooks.shop.example/' || i, '["sale.created"]', '[]', ${plan.start} FROM n`,
		...inParts(
			otherRows,
			({ from, to }) =>
				`${numbers(from, to)} INSERT INTO webhook_deliveries (endpoint_id, operation, type, subject_id, is_test, customer_id, partner_id, payload, state, attempts, tries, last_attempt_at, last_status, created_at, settled_at)
				SELECT 1, 'fill-' || i, iif(i = 9, 'payout.failed', 'sale.created'), i, 0, 1 + i % ${plan.customers}, 1 + i % ${plan.partners}, '{"data":{"id":' || i || '}}', ${state}, 1, 1, ${at}, iif(i % 7, 200, 500), ${at}, ${at} FROM n`,
		),
		`${numbers(1, 300)} INSERT INTO postbacks (program_id, partner_program_id, url, events, created_at) SELECT ${PROGRAM_ID}, i, 'https://network-' || i || '.example/?cid={sub_id}', '["sale"]', ${plan.start} FROM n WHERE i <= 100 OR (i % 20 <> 7 AND i % 33 <> 5)`,
		...inParts(
			otherRows,
			({ from, to }) =>
				`${numbers(from, to)} INSERT INTO postback_deliveries (postback_id, operation, event, subject_id, is_test, customer_id, amount_cents, currency, state, attempts, last_attempt_at, last_status, created_at)
				SELECT 1, 'fill-' || i, 'sale', i, 0, 1 + i % ${plan.customers}, 1000, 'USD', 'delivered', 1, ${plan.now - DAY_MS}, 200, ${plan.now - DAY_MS} FROM n`,
		),
	];
}

function fillForgotten(plan: Plan): string[] {
	const { erasedIds, otherRows, now } = plan;
	const counts = '{"customers":1,"clicks":1,"leads":1,"sales":1,"refusals":0,"processor_events":0,"dead_letters":0,"notifications":0}';
	return [
		`${numbers(1, erasedIds)} INSERT INTO erased_ids (program_id, hash, erased_at) SELECT ${PROGRAM_ID}, printf('%064x', i * 2654435761), ${instantOf(plan, 'i', erasedIds)} FROM n`,
		...inParts(
			otherRows,
			({ from, to }) =>
				`${numbers(from, to)} INSERT INTO erasures (program_id, requested_by, requested_at, counts) SELECT ${PROGRAM_ID}, ${OWNER_ID}, ${instantOf(plan, 'i', otherRows)}, '${counts}' FROM n`,
		),
		`${numbers(1, 1_000)} INSERT INTO refusals (program_id, hour, fingerprint, operation, source, status, code, message, transaction_id, is_routine, count, first_at, last_at)
			SELECT ${PROGRAM_ID}, ${now} / ${HOUR_MS} - i % 700, 'fill-' || i, 'sale', 'backend', 404, 'not_found', 'No such customer', 'order-x-' || i, 0, 1, ${now} - i, ${now} - i FROM n`,
		`${numbers(1, 20)} INSERT INTO refused_origins (program_id, origin, refused_at) SELECT ${PROGRAM_ID}, 'https://other-' || i || '.example', ${now} - i FROM n`,
	];
}

const RUNS = 1_000;

/** Several runs a day. The first one paid every partner; the others approved commissions. */
function fillRuns(plan: Plan): string[] {
	const at = instantOf(plan, 'i', RUNS);
	const selection = `iif(i = 1, '{"minimum":0}', '{"isCounted":true,"untilId":1}')`;
	return [
		`${numbers(1, RUNS)} INSERT INTO runs (program_id, kind, state, selection, until_id, expected_count, op_id, created_by, created_at, finished_at, lease_until)
			SELECT ${PROGRAM_ID}, iif(i = 1, 'pay', 'approve'), 'done', ${selection}, 1, 1, 'fill-run-' || i, ${OWNER_ID}, ${at}, ${at} + 1000, ${at} FROM n`,
		`${numbers(1, plan.partners)} INSERT INTO run_results (run_id, outcome, partner_program_id, currency, detail) SELECT 1, 'paid', i, 'USD', '{"amount_cents":1000}' FROM n`,
	];
}

/** The clicks of the days before the first one are in files. Later clicks are in the table. */
function fillRetiredDays({ retiredDays, start }: Plan): string[] {
	// A database that is yet to be upgraded has no such table.
	if (retiredDays === 0) return [];
	const day = `date(${start / 1_000} - i * 86400, 'unixepoch')`;
	return [
		`${numbers(1, retiredDays)} INSERT INTO retired_click_days (program_id, day, clicks, files, bytes, retired_at) SELECT ${PROGRAM_ID}, ${day}, 250, 1, 6500, ${start} FROM n`,
	];
}
