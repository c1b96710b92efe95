import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { OwedEarnings } from '../domain/people/account-deletion.ts';

export type OwedRow = Omit<OwedEarnings, 'program'> & { readonly programId: number; readonly programName: string };

/**
 * What the programs of all partners of a person owe them, as a statement for a batch. Reads balances and payouts, but no commissions, so it
 * does not matter how many there are.
 */
export function selectOwed(ctx: Context, userId: number) {
	const memberships = sql`partners p CROSS JOIN partner_programs pp ON pp.partner_id = p.id`;
	return ctx.db.all<OwedRow>(sql`
		SELECT g.id AS programId, g.name AS programName, owed.currency, sum(owed.unpaid) AS unpaidCents, sum(owed.onItsWay) AS onItsWayCents
		FROM (
			SELECT pp.program_id, b.currency, max(b.balance_cents, 0) AS unpaid, 0 AS onItsWay
			FROM ${memberships} CROSS JOIN partner_program_balances b ON b.partner_program_id = pp.id WHERE p.user_id = ${userId}
			UNION ALL SELECT pp.program_id, o.currency, 0, o.amount_cents
			FROM ${memberships} CROSS JOIN payouts o INDEXED BY payouts_by_partner_program ON o.partner_program_id = pp.id
			WHERE p.user_id = ${userId} AND o.sent_at IS NULL AND o.failed_at IS NULL
		) AS owed JOIN programs g ON g.id = owed.program_id
		GROUP BY g.id, owed.currency HAVING unpaidCents + onItsWayCents > 0 ORDER BY g.id, owed.currency`);
}

export function owedEarningsOf({ programId, programName, ...sums }: OwedRow): OwedEarnings {
	return { program: { id: programId, name: programName }, ...sums };
}
