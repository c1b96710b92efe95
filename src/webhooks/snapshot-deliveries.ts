import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { type Placeholders, type Param, prepare } from '../db/prepare.ts';
import type { outbox } from '../db/schema/work.ts';
import type { MetricDelta } from '../domain/reporting/metric-deltas.ts';
import type { WebhookType } from '../domain/webhooks/webhook-type.ts';
import { iso, jsonOf } from './payload-parts.ts';

// One delivery per outbox row, type, subject and subscribed endpoint. `rows` is a JSON list of outbox rows with id, subject, time and
// program.

export interface SnapshotRow {
	readonly programId: number;
	readonly id: string;
	readonly kind: (typeof outbox.$inferSelect)['kind'];
	readonly subjectId: number;
	readonly createdAt: number;
	readonly moves: readonly MetricDelta[];
}

interface Snapshot {
	readonly kind: SnapshotRow['kind'];
	/** Selects rows within the kind; undefined for all. */
	readonly isOne?: (row: SnapshotRow) => boolean;
	readonly insert: ReturnType<typeof insertOf>;
}

/** Belongs in the batch that applies the rows' effects. */
export function snapshotDeliveries(ctx: Context, rows: readonly SnapshotRow[]): Statement[] {
	return SNAPSHOTS.flatMap(({ kind, isOne = () => true, insert }) => {
		const matching = rows.filter((row) => row.kind === kind && isOne(row));
		if (matching.length === 0) return [];
		return [
			insert(ctx, {
				rows: JSON.stringify(matching.map(({ id, subjectId, createdAt, programId }) => [id, subjectId, createdAt, programId])),
			}),
		];
	});
}

interface Selected {
	/** Joins the tables to `w`, a row of the list. */
	readonly from: SQL;
	readonly type: SQL;
	readonly subject: SQL;
	/** Whose personal data the payload contains. */
	readonly customerId?: SQL;
	readonly partnerId?: SQL;
	readonly data: SQL;
}

function insertOf({ from, type, subject, customerId = sql`NULL`, partnerId = sql`NULL`, data }: Selected) {
	const payload = (rowAt: SQL) => sql`json_object('type', ${type}, 'timestamp', ${iso(rowAt)}, 'test', json('false'), 'data', ${data})`;
	return prepare(({ db, now }, { rows }: Placeholders<{ rows: string }>) =>
		db.run(sql`
			INSERT INTO webhook_deliveries
				(endpoint_id, operation, type, subject_id, is_test, customer_id, partner_id, payload, state, next_attempt_at, created_at)
			SELECT e.id, w.value ->> 0, ${type}, ${subject}, 0, ${customerId}, ${partnerId}, ${payload(sql`w.value ->> 2`)}, 'pending', ${now}, ${now}
			FROM ${listed(rows)} ${from}
			CROSS JOIN webhook_endpoints e ON e.program_id = w.value ->> 3 AND e.deleted_at IS NULL
			WHERE e.disabled_at IS NULL AND EXISTS (SELECT 1 FROM json_each(e.types) AS t WHERE t.value = ${type})
			ON CONFLICT DO NOTHING`),
	);
}

function listed(rows: Param<string>): SQL {
	return sql`json_each(${rows}) AS w`;
}

function named(type: WebhookType): SQL {
	return sql.raw(`'${type}'`);
}

const SUBJECT = sql`w.value ->> 1`;
const PARTNER_OF_MEMBER = sql`LEFT JOIN partners p ON p.id = pp.partner_id`;
/** Joins to a preceding sale `s`. */
const OF_SALE = sql`
	LEFT JOIN customers cu ON cu.id = s.customer_id
	LEFT JOIN partner_programs pp ON pp.id = s.partner_program_id ${PARTNER_OF_MEMBER}`;
const WHOSE_SALE = { customerId: sql`s.customer_id`, partnerId: sql`p.id` };

const soldOf = (from: SQL): Selected => ({
	from: sql`${from} ${OF_SALE} LEFT JOIN commissions c ON c.sale_id = s.id`,
	type: named('sale.created'),
	subject: sql`s.id`,
	...WHOSE_SALE,
	data: jsonOf.saleWithCommission,
});

const earned = (type: WebhookType): Selected => ({
	from: sql`CROSS JOIN commissions c ON c.id = ${SUBJECT} JOIN affiliate_sale_events s ON s.id = c.sale_id ${OF_SALE}`,
	type: named(type),
	subject: sql`c.id`,
	...WHOSE_SALE,
	data: jsonOf.commission,
});

const refunded = (condition: SQL) => sql`
	CROSS JOIN refund_events r ON r.id = ${SUBJECT} AND ${condition} JOIN affiliate_sale_events s ON s.id = r.sale_id ${OF_SALE}`;

const paid = (type: WebhookType): Selected => ({
	from: sql`CROSS JOIN payouts o ON o.id = ${SUBJECT} JOIN partner_programs pp ON pp.id = o.partner_program_id ${PARTNER_OF_MEMBER}`,
	type: named(type),
	subject: sql`o.id`,
	partnerId: sql`p.id`,
	data: jsonOf.payout,
});

const member = (type: WebhookType): Selected => ({
	from: sql`CROSS JOIN partner_programs pp ON pp.program_id = w.value ->> 3 AND pp.partner_id = ${SUBJECT} ${PARTNER_OF_MEMBER}`,
	type: named(type),
	subject: sql`p.id`,
	partnerId: sql`p.id`,
	data: jsonOf.member,
});

/** Leads that only change dimension values belong to an earlier sign-up. */
const isSignUp = ({ moves }: SnapshotRow) => moves.some(({ leads = 0, onlyValues }) => leads > 0 && !onlyValues);
/** A commission created later, because it failed at its sale, does not report the sale again. */
const isSale = ({ moves }: SnapshotRow) => moves.some(({ sales = 0 }) => sales > 0);

const SNAPSHOTS: readonly Snapshot[] = [
	{
		kind: 'lead_recorded',
		isOne: isSignUp,
		insert: insertOf({
			from: sql`CROSS JOIN customers cu ON cu.id = ${SUBJECT} LEFT JOIN partner_programs pp ON pp.id = cu.partner_program_id ${PARTNER_OF_MEMBER}`,
			type: named('lead.created'),
			subject: sql`cu.id`,
			customerId: sql`cu.id`,
			partnerId: sql`p.id`,
			data: jsonOf.lead,
		}),
	},
	{ kind: 'sale_recorded', insert: insertOf(soldOf(sql`CROSS JOIN affiliate_sale_events s ON s.id = ${SUBJECT}`)) },
	{
		kind: 'commission_created',
		isOne: isSale,
		insert: insertOf({
			...soldOf(sql`CROSS JOIN commissions made ON made.id = ${SUBJECT} JOIN affiliate_sale_events s ON s.id = made.sale_id`),
		}),
	},
	{ kind: 'commission_created', insert: insertOf(earned('commission.created')) },
	{ kind: 'commission_approved', insert: insertOf(earned('commission.approved')) },
	{ kind: 'commission_rejected', insert: insertOf(earned('commission.rejected')) },
	{
		kind: 'sale_refunded',
		insert: insertOf({
			from: refunded(sql`r.outcome NOT IN ('reinstated', 'skipped')`),
			type: named('refund.created'),
			subject: sql`r.id`,
			...WHOSE_SALE,
			data: jsonOf.refund,
		}),
	},
	{
		kind: 'sale_refunded',
		insert: insertOf({
			from: sql`${refunded(sql`r.deduction_cents IS NOT NULL`)} JOIN commissions c ON c.sale_id = s.id`,
			type: sql`iif(r.outcome = 'reinstated', 'commission.reinstated', 'commission.reversed')`,
			subject: sql`c.id`,
			...WHOSE_SALE,
			data: jsonOf.commissionWithRefund,
		}),
	},
	{ kind: 'payout_made', insert: insertOf(paid('payout.created')) },
	{ kind: 'payout_sent', insert: insertOf(paid('payout.sent')) },
	{ kind: 'payout_failed', insert: insertOf(paid('payout.failed')) },
	{
		kind: 'application_received',
		insert: insertOf({
			from: sql`CROSS JOIN partner_applications a ON a.id = ${SUBJECT}`,
			type: named('partner.applied'),
			subject: sql`a.id`,
			data: jsonOf.application,
		}),
	},
	{ kind: 'partner_joined', insert: insertOf(member('partner.created')) },
	{ kind: 'partner_suspended', insert: insertOf(member('partner.suspended')) },
];
