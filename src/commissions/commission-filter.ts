import { eq, gte, lte, type SQL, sql } from 'drizzle-orm';
import { begins } from '../db/begins.ts';
import { commissions } from '../db/schema/money.ts';
import type { DayOrInstant } from '../domain/moment.ts';
import { isFound as isPartnerFound } from '../partners/find-partners.ts';
import { membershipIdOf } from '../partners/membership-id.ts';

/** Which commissions of a program are meant, whatever their state. */
export interface CommissionFilter extends CommissionRange {
	readonly partnerId?: number | undefined;
	readonly currency?: string | undefined;
	readonly payoutId?: number | undefined;
	/**
	 * A transaction id, which finds its commission alone; else how a transaction id begins, a part of the name or email address of a
	 * partner, or a product id.
	 */
	readonly search?: string | undefined;
}

/** Both ends belong to it. */
export interface CommissionRange {
	readonly from?: DayOrInstant | undefined;
	readonly to?: DayOrInstant | undefined;
}

export function conditionsOf(programId: number, filter: CommissionFilter): (SQL | undefined)[] {
	const { partnerId, currency, payoutId, search } = filter;
	return [
		...rangeConditionsOf(filter),
		partnerId === undefined ? undefined : sql`${commissions.partnerProgramId} = ${membershipIdOf(programId, partnerId)}`,
		currency === undefined ? undefined : eq(commissions.currency, currency),
		payoutId === undefined ? undefined : eq(commissions.payoutId, payoutId),
		search === undefined ? undefined : isFound(programId, search),
	];
}

export function rangeConditionsOf({ from, to }: CommissionRange): (SQL | undefined)[] {
	return [
		from?.kind === 'day' ? gte(commissions.createdDay, from.day) : undefined,
		from?.kind === 'instant' ? gte(commissions.createdAt, from.at) : undefined,
		to?.kind === 'day' ? lte(commissions.createdDay, to.day) : undefined,
		to?.kind === 'instant' ? lte(commissions.createdAt, to.at) : undefined,
	];
}

/** A whole transaction id is looked up, and its day alone searched; anything else is held against one commission after the other. */
function isFound(programId: number, search: string): SQL {
	const [id, day] = [ofTransaction(programId, search, 'id'), ofTransaction(programId, search, 'created_day')];
	const partnerPrograms = sql`(
		SELECT pp.id FROM partner_programs pp JOIN partners p ON p.id = pp.partner_id
		WHERE pp.program_id = ${programId} AND ${isPartnerFound(search, 'p')})`;
	return sql`${commissions.createdDay} BETWEEN coalesce(${day}, '') AND coalesce(${day}, '9999') AND CASE
		WHEN ${id} IS NOT NULL THEN ${commissions.id} = ${id}
		ELSE ${commissions.partnerProgramId} IN ${partnerPrograms} OR ${isSaleFound(search)}
		END`;
}

/** The same search, but it reads the partner of each commission instead of all partners of the program first. */
export function isFoundByItself(programId: number, search: string): SQL {
	const id = ofTransaction(programId, search, 'id');
	return sql`CASE
		WHEN ${id} IS NOT NULL THEN ${commissions.id} = ${id}
		ELSE ${isSaleFound(search)} OR EXISTS (
			SELECT 1 FROM partner_programs pp JOIN partners p ON p.id = pp.partner_id
			WHERE pp.id = ${commissions.partnerProgramId} AND ${isPartnerFound(search, 'p')})
		END`;
}

function isSaleFound(search: string): SQL {
	return sql`EXISTS (
		SELECT 1 FROM affiliate_sale_events s
		WHERE s.id = ${commissions.saleId} AND (s.product_id = ${search} OR ${begins('s.processor_event_id', sql`${search}`)}))`;
}

/** Of the commission of that very transaction. */
function ofTransaction(programId: number, transactionId: string, column: 'id' | 'created_day'): SQL {
	return sql`(
		SELECT c.${sql.raw(column)} FROM affiliate_sale_events s JOIN commissions c ON c.sale_id = s.id
		WHERE s.processor_event_id = ${transactionId} AND s.is_test = 0 AND s.id_scope IN (0, ${programId}) AND c.program_id = ${programId})`;
}
