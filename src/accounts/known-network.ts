import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { auditEntries, users } from '../db/schema/accounts.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { networkOf } from '../domain/people/client-network.ts';

const KNOWN_DAYS = 90;
const SIGN_INS = 200;

/** The account of an address, if there is one, and the networks that it was signed in from lately. */
export type Account = Awaited<ReturnType<typeof findAccount>>;

/** Who would sign in by an address: one trip, for an address that nobody has too. */
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

/** Whether somebody signed in to the account from this network lately. Takes as long for an account that nobody has. */
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
				// As the index has it.
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
