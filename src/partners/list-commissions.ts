import { eq, lt, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { commissions } from '../db/schema/money.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import type { CommissionStatus } from '../domain/reversal.ts';
import { type CommissionFilter, conditionsOf } from './commission-filter.ts';
import { type Commission, type CommissionKey, explained, selectCommissions } from './commission.ts';

export interface CommissionsRequest extends CommissionFilter, PageRequest {
	readonly status?: CommissionStatus | undefined;
}

/** The commissions of a program with sale, rule and refunds, newest first. One trip. */
export async function listCommissions(
	ctx: Context,
	program: { readonly id: number },
	{ status, cursor, limit, ...filter }: CommissionsRequest,
): Promise<Page<Commission>> {
	const key = filter.partnerId === undefined && filter.payoutId === undefined ? 'program' : 'other';
	const conditions = [
		...conditionsOf(program.id, filter),
		status === undefined ? undefined : eq(commissions.status, status),
		cursor === undefined ? undefined : behind(cursor, key),
	];
	const rows = await selectCommissions(ctx, program.id, conditions, key).limit(limit + 1);
	return pageOf(
		rows.map((row) => explained(row, ctx.now)),
		limit,
	);
}

/** What comes after a commission in the list. */
function behind(cursor: number, key: CommissionKey): SQL {
	if (key === 'other') return lt(commissions.id, cursor);
	const day = sql`(SELECT created_day FROM commissions WHERE id = ${cursor})`;
	return sql`${commissions.createdDay} <= coalesce(${day}, '9999') AND (${commissions.createdDay} < ${day} OR ${commissions.id} < ${cursor})`;
}
