import { and, desc, eq, gt, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { auditEntries, users } from '../db/schema/accounts.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { networkOf } from '../domain/client-network.ts';

const KNOWN_DAYS = 90;
const SIGN_INS = 200;

/**
 * Whether somebody signed in to the account from this network lately. Who guesses at it from elsewhere uses up the account's
 * share of guesses, and must not lock its owner out by that. Takes as long for an account that nobody has.
 */
export async function isKnownNetwork(ctx: Context, email: string, network: string): Promise<boolean> {
	const entries = await ctx.db
		.select({ address: auditEntries.address })
		.from(auditEntries)
		.innerJoin(users, eq(users.id, auditEntries.userId))
		.where(
			and(
				eq(users.email, email),
				// As the index has it.
				sql`${auditEntries.action} IN ('session.start', 'user.sign_up')`,
				gt(auditEntries.at, ctx.now - KNOWN_DAYS * DAY_MS),
			),
		)
		.orderBy(desc(auditEntries.at))
		.limit(SIGN_INS);
	return entries.some(({ address }) => address !== null && networkOf(address) === network);
}
