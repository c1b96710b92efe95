import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { auditEntries, users } from '../db/schema/accounts.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { networkOf } from '../domain/people/client-network.ts';

const KNOWN_DAYS = 90;
const SIGN_INS = 200;

/** The account with this email address, if any, and its recent networks. */
export type Account = Awaited<ReturnType<typeof findAccount>>;

/** One round trip, so that timing does not reveal whether the account exists. */
export async function findAccount(ctx: Context, email: string) {
	const { holders, signIns } = await read(ctx.db, {
		holders: ctx.db
			.select({ id: users.id, email: users.email, name: users.name, passwordHash: users.passwordHash })
			.from(users)
			.where(and(eq(users.email, email), isNull(users.deactivatedAt))),
		signIns: selectSignIns(ctx, email),
	});
	return { email, user: holders[0], networks: networksOf(signIns) };
}

/** Whether somebody recently signed in to the account from this network. Unknown accounts take the same time. */
export async function isKnownNetwork(ctx: Context, email: string, network: string): Promise<boolean> {
	return networksOf(await selectSignIns(ctx, email)).has(network);
}

function selectSignIns(ctx: Context, email: string) {
	return ctx.db
		.select({ address: auditEntries.address })
		.from(auditEntries)
		.innerJoin(users, eq(users.id, auditEntries.userId))
		.where(
			and(
				eq(users.email, email),
				// Must match the index's condition.
				sql`${auditEntries.action} IN ('session.start', 'user.sign_up')`,
				gt(auditEntries.at, ctx.now - KNOWN_DAYS * DAY_MS),
			),
		)
		.orderBy(desc(auditEntries.at))
		.limit(SIGN_INS);
}

function networksOf(signIns: readonly { readonly address: string | null }[]): ReadonlySet<string> {
	return new Set(signIns.flatMap(({ address }) => (address === null ? [] : [networkOf(address)])));
}
