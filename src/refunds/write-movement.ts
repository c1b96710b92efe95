import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { type Placeholders, prepare } from '../db/prepare.ts';
import { commissions } from '../db/schema/money.ts';
import { affiliateSaleEvents, refundEvents } from '../db/schema/sales.ts';
import { dayOf } from '../domain/calendar.ts';
import { deltasOfState } from '../domain/commissions/commission-sums.ts';
import { type MetricDelta, deltasOfRefund } from '../domain/reporting/metric-deltas.ts';
import type { CommissionChange, Movement } from '../domain/refunds/reversal.ts';
import type { RefundableRow } from './find-refundable.ts';
import { deductFromCommission, reinstateCommission } from '../ledger/ledger.ts';
import { insertRefundOutbox } from './refund-outbox.ts';

type Commission = NonNullable<RefundableRow['commission']>;
export type SaleMovement = Movement<Commission>;

/** The source of a refund or reinstatement, its reason, and the operation that wrote it. */
export interface RefundSource {
	readonly source: 'endpoint' | 'processor';
	readonly refundId: string | undefined;
	readonly reason: string | undefined;
	/** The amount sent to the endpoint; only for real sales. */
	readonly reportedCents?: number;
	readonly opId: string;
}

type SaleFacts = Partial<
	Pick<
		typeof affiliateSaleEvents.$inferInsert,
		'refundedCents' | 'reportedRefundCents' | 'chargedCents' | 'chargedCurrency' | 'invoiceId' | 'duplicateOfSaleId'
	>
>;

/** Aborts its batch if the sale has changed since the read (trigger on `revision`). */
export function updateSale(ctx: Context, { id, revision }: Pick<RefundableRow, 'id' | 'revision'>, facts: SaleFacts): Statement {
	return update(ctx, { id, revision: revision + 1, ...facts });
}

const update = prepare(({ db }, { id, ...facts }: Placeholders<SaleFacts & { id: number; revision: number }>) =>
	db.update(affiliateSaleEvents).set(facts).where(eq(affiliateSaleEvents.id, id)),
);

function deltasOfMovement(sale: RefundableRow, { refundedCents, outcome, change }: SaleMovement): MetricDelta[] {
	const deductionCents = (change?.deductionCents ?? 0) * (outcome === 'reinstated' ? -1 : 1);
	return deltasOfRefund(sale, change?.commission, { refundedCents, deductionCents });
}

/** Commission sums include duplicates. */
function deltasOfChange({ currency }: RefundableRow, { outcome, change }: SaleMovement): MetricDelta[] {
	if (!change) return [];
	const { commission, status } = change;
	const after = { ...commission, status, deductedCents: deductedAfter(change, outcome === 'reinstated') };
	return deltasOfState({ ...commission, day: commission.createdDay, currency }, commission, after);
}

function deductedAfter({ commission, deductionCents }: CommissionChange<Commission>, isReinstated: boolean): number {
	return commission.deductedCents + (isReinstated ? -deductionCents : deductionCents);
}

/**
 * Writes a movement's event, commission, ledger entry and outbox row. updateSale changes the sale in the same batch. `moves` replaces the
 * movement's own figures.
 */
export function writeMovement(
	ctx: Context,
	sale: RefundableRow,
	{ moves, ...movement }: SaleMovement & { readonly moves?: readonly MetricDelta[] },
	source: RefundSource,
): Statement[] {
	const { change } = movement;
	const moved = [...(moves ?? deltasOfMovement(sale, movement)), ...deltasOfChange(sale, movement)];
	return [
		insertRefundEvent(ctx, sale, { ...movement, deductionCents: change?.deductionCents ?? null }, source),
		...(change ? changeCommission(ctx, sale.id, change, { ...source, isReinstated: movement.outcome === 'reinstated' }) : []),
		insertRefundOutbox(ctx, { saleId: sale.id, opId: source.opId, moves: JSON.stringify(moved) }),
	];
}

export function insertRefundEvent(
	ctx: Context,
	sale: Pick<RefundableRow, 'id' | 'programId' | 'timeZone'>,
	event: Pick<typeof refundEvents.$inferInsert, 'outcome' | 'amountCents' | 'deductionCents'>,
	{ source, refundId, reason, reportedCents, opId }: RefundSource,
): Statement {
	return insertEvent(ctx, {
		programId: sale.programId,
		saleId: sale.id,
		source,
		refundId: refundId ?? null,
		isTest: event.outcome === 'test',
		amountCents: event.amountCents,
		reportedCents: reportedCents ?? null,
		deductionCents: event.deductionCents ?? null,
		outcome: event.outcome,
		reason: reason ?? null,
		refundDay: dayOf(ctx.now, sale.timeZone),
		opId,
	});
}

type NewRefundEvent = Required<Omit<typeof refundEvents.$inferInsert, 'id' | 'createdAt'>>;

const insertEvent = prepare(({ db, now }, params: Placeholders<NewRefundEvent>) =>
	db.insert(refundEvents).values({ ...params, createdAt: now }),
);

function changeCommission(
	ctx: Context,
	saleId: number,
	change: CommissionChange<Commission>,
	{ isReinstated, reason, opId }: Pick<RefundSource, 'reason' | 'opId'> & { readonly isReinstated: boolean },
): Statement[] {
	const { commission, status, statusBeforeRefund, deductionCents } = change;
	return [
		updateCommission(ctx, {
			id: commission.id,
			status,
			statusBeforeRefund,
			deductedCents: deductedAfter(change, isReinstated),
			revision: commission.revision + 1,
			...refundReasonAfter(reason, isReinstated, statusBeforeRefund !== null),
		}),
		isReinstated
			? reinstateCommission(ctx, { saleId, reinstatedCents: deductionCents, opId })
			: deductFromCommission(ctx, { saleId, deductionCents, opId }),
	];
}

interface ChangedCommission extends Pick<
	typeof commissions.$inferSelect,
	'id' | 'status' | 'statusBeforeRefund' | 'deductedCents' | 'revision'
> {
	readonly refundReason?: string | null;
}

const updateCommission = prepare(({ db }, { id, ...changed }: Placeholders<ChangedCommission>) =>
	db.update(commissions).set(changed).where(eq(commissions.id, id)),
);

/** The last reason stays until nothing is refunded any more. */
function refundReasonAfter(reason: string | undefined, isReinstated: boolean, isStillRefunded: boolean): { refundReason?: string | null } {
	if (isReinstated) return isStillRefunded ? {} : { refundReason: null };
	return reason === undefined ? {} : { refundReason: reason };
}
