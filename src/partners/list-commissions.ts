import { eq, gte, lte, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { commissions } from '../db/schema/money.ts';
import { partnerPrograms } from '../db/schema/partners.ts';
import type { Moment } from '../domain/moment.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import type { CommissionStatus } from '../domain/reversal.ts';
import { type Commission, explained, selectCommissions } from './commission.ts';

export interface CommissionFilter extends PageRequest {
	readonly status: CommissionStatus | undefined;
	readonly partnerId: number | undefined;
	/** Both ends belong to the range. */
	readonly from: Moment | undefined;
	readonly to: Moment | undefined;
}

/** The commissions of a program with sale, rule and refunds, newest first. One trip. */
export async function listCommissions(ctx: Context, program: { readonly id: number }, filter: CommissionFilter): Promise<Page<Commission>> {
	const rows = await selectCommissions(ctx, program.id, conditionsOf(filter)).limit(filter.limit + 1);
	return pageOf(
		rows.map((row) => explained(row, ctx.now)),
		filter.limit,
	);
}

function conditionsOf({ status, partnerId, from, to, cursor }: CommissionFilter): (SQL | undefined)[] {
	return [
		status === undefined ? undefined : eq(commissions.status, status),
		partnerId === undefined ? undefined : eq(partnerPrograms.partnerId, partnerId),
		from?.kind === 'day' ? gte(commissions.createdDay, from.day) : undefined,
		from?.kind === 'instant' ? gte(commissions.createdAt, from.at) : undefined,
		to?.kind === 'day' ? lte(commissions.createdDay, to.day) : undefined,
		to?.kind === 'instant' ? lte(commissions.createdAt, to.at) : undefined,
		cursor === undefined ? undefined : behind(cursor),
	];
}

/** What comes after a commission in the list. */
function behind(cursor: number): SQL {
	const day = sql`(SELECT created_day FROM commissions WHERE id = ${cursor})`;
	return sql`${commissions.createdDay} <= coalesce(${day}, '9999') AND (${commissions.createdDay} < ${day} OR ${commissions.id} < ${cursor})`;
}
