import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { type Placeholders, type Param, prepare } from '../db/prepare.ts';
import type { outbox } from '../db/schema/work.ts';
import { withheldCents } from '../db/withheld-cents.ts';

// One notification per outbox row and reader, but only one for all rejections of an operation. `rows` is a JSON list of outbox ids and
// subject ids.

function ofCommissions(rows: Param<string>): SQL {
	return sql`
		SELECT pp.partner_id, NULL, c.program_id, 'commission_created',
			json_object('commission_id', c.id, 'sale_id', c.sale_id, 'amount_cents', c.amount_cents, 'currency', c.currency, 'status', c.status),
			w.value ->> 0
		FROM json_each(${rows}) AS w
		CROSS JOIN commissions c ON c.id = w.value ->> 1
		JOIN partner_programs pp ON pp.id = c.partner_program_id`;
}

/** Notifies the partner if the refund reversed or reinstated a commission (contract, section 3, side effect 2). */
function ofRefunds(rows: Param<string>): SQL {
	return sql`
		SELECT pp.partner_id, NULL, c.program_id, iif(r.outcome = 'reinstated', 'commission_reinstated', 'commission_reversed'),
			json_patch(
				json_object('commission_id', c.id, 'sale_id', c.sale_id, 'deduction_cents', r.deduction_cents, 'currency', c.currency, 'status', r.outcome, 'reason', r.reason),
				json_object('withheld_cents', nullif(${withheldCents(sql`c.id`, sql`r.op_id`)}, 0))),
			w.value ->> 0
		FROM json_each(${rows}) AS w
		CROSS JOIN refund_events r ON r.id = w.value ->> 1 AND r.deduction_cents IS NOT NULL
		JOIN commissions c ON c.sale_id = r.sale_id
		JOIN partner_programs pp ON pp.id = c.partner_program_id`;
}

/**
 * Notifies owners and admins if the commission was paid before the refund (contract, section 3, side effect 3). The ledger's order decides,
 * because the clocks of two requests may differ.
 */
function warnings(rows: Param<string>): SQL {
	return sql`
		SELECT NULL, m.user_id, c.program_id, 'manual_review',
			json_object('commission_id', c.id, 'sale_id', c.sale_id, 'payout_id', c.payout_id, 'deduction_cents', r.deduction_cents, 'currency', c.currency, 'reason', r.reason),
			w.value ->> 0
		FROM json_each(${rows}) AS w
		CROSS JOIN refund_events r ON r.id = w.value ->> 1
		CROSS JOIN commissions c ON c.sale_id = r.sale_id
		CROSS JOIN ledger_entries payout ON payout.commission_id = c.id AND payout.kind = 'payout'
		CROSS JOIN ledger_entries reversal ON reversal.commission_id = c.id AND reversal.kind = 'reversal' AND reversal.operation = r.op_id
			AND payout.id < reversal.id
		CROSS JOIN programs p ON p.id = c.program_id
		CROSS JOIN members m ON m.workspace_id = p.workspace_id AND m.deactivated_at IS NULL AND m.role IN ('owner', 'admin')`;
}

/**
 * One notification for all commissions that a partner lost at once. Then it omits the reason, which may name a customer: an erasure finds
 * only notifications that name their sale.
 */
function ofRejections(rows: Param<string>): SQL {
	return sql`
		SELECT pp.partner_id, NULL, c.program_id, 'commission_rejected',
			iif(count(*) = 1,
				json_object('commission_id', c.id, 'sale_id', c.sale_id, 'amount_cents', c.amount_cents - c.deducted_cents, 'currency', c.currency, 'reason', c.rejection_reason),
				json_object('commissions', count(*), 'amount_cents', sum(c.amount_cents - c.deducted_cents), 'currency', c.currency)),
			min(w.value ->> 0)
		FROM json_each(${rows}) AS w
		CROSS JOIN commissions c ON c.id = w.value ->> 1
		JOIN partner_programs pp ON pp.id = c.partner_program_id
		GROUP BY substr(w.value ->> 0, 1, instr(w.value ->> 0, ':')), pp.id, c.currency`;
}

function ofPayouts(rows: Param<string>): SQL {
	return sql`
		SELECT pp.partner_id, NULL, p.program_id, 'payout_made',
			json_object('payout_id', p.id, 'amount_cents', p.amount_cents, 'recovered_cents', p.recovered_cents, 'surplus_cents', p.surplus_cents, 'currency', p.currency),
			w.value ->> 0
		FROM json_each(${rows}) AS w
		CROSS JOIN payouts p ON p.id = w.value ->> 1
		JOIN partner_programs pp ON pp.id = p.partner_program_id`;
}

function ofSent(rows: Param<string>): SQL {
	return sql`
		SELECT pp.partner_id, NULL, p.program_id, 'payout_sent',
			json_object('payout_id', p.id, 'amount_cents', p.amount_cents, 'currency', p.currency, 'reference', p.sent_reference),
			w.value ->> 0
		FROM json_each(${rows}) AS w
		CROSS JOIN payouts p ON p.id = w.value ->> 1
		JOIN partner_programs pp ON pp.id = p.partner_program_id`;
}

function ofFailed(rows: Param<string>): SQL {
	return sql`
		SELECT pp.partner_id, NULL, p.program_id, 'payout_failed',
			json_object('payout_id', p.id, 'amount_cents', p.amount_cents, 'currency', p.currency, 'reason', p.failure_reason),
			w.value ->> 0
		FROM json_each(${rows}) AS w
		CROSS JOIN payouts p ON p.id = w.value ->> 1
		JOIN partner_programs pp ON pp.id = p.partner_program_id`;
}

/** Notifies owners and admins. */
function ofApplications(rows: Param<string>): SQL {
	return sql`
		SELECT NULL, m.user_id, p.id, 'application_received', json_object('application_id', a.id, 'currency', p.currency), w.value ->> 0
		FROM json_each(${rows}) AS w
		CROSS JOIN partner_applications a ON a.id = w.value ->> 1
		CROSS JOIN programs p ON p.id = a.program_id
		CROSS JOIN members m ON m.workspace_id = p.workspace_id AND m.deactivated_at IS NULL AND m.role IN ('owner', 'admin')`;
}

export interface NotificationCause {
	readonly id: string;
	readonly kind: (typeof outbox.$inferSelect)['kind'];
	readonly subjectId: number;
}

/** Partners come before members. */
export function notify(ctx: Context, rows: readonly NotificationCause[]): Statement[] {
	return [...Map.groupBy(rows, ({ kind }) => kind)].flatMap(([kind, ofKind]) => {
		const write = WRITERS[kind];
		return write ? [write(ctx, { rows: JSON.stringify(ofKind.map(({ id, subjectId }) => [id, subjectId])) })] : [];
	});
}

function writer(select: (rows: Param<string>) => SQL) {
	return prepare(({ db, now }, { rows }: Placeholders<{ rows: string }>) =>
		db.run(sql`
			INSERT INTO notifications (partner_id, user_id, program_id, kind, detail, outbox_id, created_at)
			SELECT *, ${now} FROM (${select(rows)})`),
	);
}

const WRITERS: Partial<Record<NotificationCause['kind'], ReturnType<typeof writer>>> = {
	commission_created: writer(ofCommissions),
	sale_refunded: writer((rows) => sql`${ofRefunds(rows)} UNION ALL ${warnings(rows)} ORDER BY 6, 2`),
	commission_rejected: writer(ofRejections),
	payout_made: writer(ofPayouts),
	payout_sent: writer(ofSent),
	payout_failed: writer(ofFailed),
	application_received: writer(ofApplications),
};
