import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { users } from '../db/schema/accounts.ts';
import { sha256Hex } from '../secrets.ts';

// An address is proved by a token that only an email to it had (decision 57).

/** For the user's row: the time of the first proof stays. */
export function provedNow(ctx: Context): SQL<number> {
	return sql`coalesce(${users.emailProvedAt}, ${ctx.now})`;
}

/** Proves the address of the user, if it is the one that the email went to. */
export function proveAddress(ctx: Context, userId: number | SQL<number>, email: string): Statement {
	return ctx.db
		.update(users)
		.set({ emailProvedAt: provedNow(ctx) })
		.where(and(sql`${users.id} = ${userId}`, eq(users.email, email)));
}

/**
 * The user, if they have proved the address; else NULL. A user whose account has ended is selected too, so that a trigger
 * refuses what would join them to something.
 */
export function provedUser(userId: number | null, email: string): SQL<number> | null {
	return userId === null
		? null
		: sql`(SELECT ${users.id} FROM ${users} WHERE ${users.id} = ${userId} AND (
			${users.deactivatedAt} IS NOT NULL OR (${users.email} = ${email} AND ${users.emailProvedAt} IS NOT NULL)))`;
}

/** An invitation's token as its email has it. The maker of an invitation sees its token too, but not the proof behind it. */
export async function mailedInvitationToken(ctx: Context, token: string): Promise<string> {
	const [proof] = await ctx.secrets.mailProofs(token);
	return `${token}-${proof}`;
}

/** What a link of an invitation shows: the invitation, and whether the link is from its email. */
export async function readInvitationToken(ctx: Context, text: string): Promise<{ readonly tokenHash: string; readonly isMailed: boolean }> {
	const [token = '', proof] = text.split('-');
	const isMailed = proof !== undefined && (await ctx.secrets.mailProofs(token)).includes(proof);
	return { tokenHash: await sha256Hex(token), isMailed };
}
