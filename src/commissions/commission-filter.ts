import { eq, gte, lte, type SQL, sql } from 'drizzle-orm';
import { begins } from '../db/begins.ts';
import { commissions } from '../db/schema/money.ts';
import { DAY_MS, dayOf } from '../domain/calendar.ts';
import type { DayOrInstant } from '../domain/moment.ts';
import { isFound as isPartnerFound } from '../partners/find-partners.ts';
import { membershipIdOf } from '../partners/membership-id.ts';

export interface CommissionFilter extends CommissionRange {
	readonly partnerId?: number | undefined;
	readonly currency?: string | undefined;
	readonly payoutId?: number | undefined;
	/**
	 * A whole transaction id, which finds only its commission. Otherwise the start of one, part of a partner's name or email address, or a
	 * product id.
	 */
	readonly search?: string | undefined;
}

/** Both ends are included. */
export interface CommissionRange {
	readonly from?: DayOrInstant | undefined;
	readonly to?: DayOrInstant | undefined;
}

/** All conditions except the search, which must be resolved first (search-commissions.ts). */
export function conditionsOf(programId: number, filter: Omit<CommissionFilter, 'search'>): (SQL | undefined)[] {
	const { partnerId, currency, payoutId } = filter;
	return [
		...rangeConditionsOf(filter),
		partnerId === undefined ? undefined : sql`${commissions.partnerProgramId} = ${membershipIdOf(programId, partnerId)}`,
		currency === undefined ? undefined : eq(commissions.currency, currency),
		payoutId === undefined ? undefined : eq(commissions.payoutId, payoutId),
	];
}

const LAST_DAY = Date.parse('9999-12-31T00:00:00Z');

/** The index has days, so an instant also limits the day, with a day's margin for time zones. */
export function rangeConditionsOf({ from, to }: CommissionRange): (SQL | undefined)[] {
	return [
		from && gte(commissions.createdDay, from.kind === 'day' ? from.day : dayOf(from.at - DAY_MS, 'UTC')),
		from?.kind === 'instant' ? gte(commissions.createdAt, from.at) : undefined,
		to && lte(commissions.createdDay, to.kind === 'day' ? to.day : dayOf(Math.min(to.at + DAY_MS, LAST_DAY), 'UTC')),
		to?.kind === 'instant' ? lte(commissions.createdAt, to.at) : undefined,
	];
}

/** Checks commissions that are already being read. Reads each one's sale and partner. */
export function isFoundByItself(programId: number, search: string): SQL {
	const id = ofTransaction(programId, search);
	return sql`CASE
		WHEN ${id} IS NOT NULL THEN ${commissions.id} = ${id}
		ELSE ${isSaleFound(search)} OR EXISTS (
			SELECT 1 FROM partner_programs pp JOIN partners p ON p.id = pp.partner_id
			WHERE pp.id = ${commissions.partnerProgramId} AND ${isPartnerFound(search, 'p')})
		END`;
}

/** Compares the start of the transaction id and the whole product id. */
export function isSaleFound(search: string): SQL {
	return sql`EXISTS (
		SELECT 1 FROM affiliate_sale_events s
		WHERE s.id = ${commissions.saleId} AND (s.product_id = ${search} OR ${begins('s.processor_event_id', sql`${search}`)}))`;
}

function ofTransaction(programId: number, transactionId: string): SQL {
	return sql`(
		SELECT c.id FROM affiliate_sale_events s JOIN commissions c ON c.sale_id = s.id
		WHERE s.processor_event_id = ${transactionId} AND s.is_test = 0 AND s.id_scope IN (0, ${programId}) AND c.program_id = ${programId})`;
}
