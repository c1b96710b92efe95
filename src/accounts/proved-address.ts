import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { users } from '../db/schema/accounts.ts';
import { sha256Hex } from '../secrets.ts';

// A token that was sent only by email proves an address (decision 57).

/** Keeps the time of the first proof. */
export function provedNow(ctx: Context): SQL<number> {
	return sql`coalesce(${users.emailProvedAt}, ${ctx.now})`;
}

/** Records that the user owns the address, if it is the one the email went to. */
export function proveAddress(ctx: Context, userId: number | SQL<number>, email: string): Statement {
	return ctx.db
		.update(users)
		.set({ emailProvedAt: provedNow(ctx) })
		.where(and(sql`${users.id} = ${userId}`, eq(users.email, email)));
}

/** The user if they have proved the address; otherwise NULL. Includes deleted users, so that a trigger refuses to let them join. */
export function provedUser(userId: number | null, email: string): SQL<number> | null {
	return userId === null
		? null
		: sql`(SELECT ${users.id} FROM ${users} WHERE ${users.id} = ${userId} AND (
			${users.deactivatedAt} IS NOT NULL OR (${users.email} = ${email} AND ${users.emailProvedAt} IS NOT NULL)))`;
}

/** The inviter also sees the token, but not the proof appended to it. */
export async function mailedInvitationToken(ctx: Context, token: string): Promise<string> {
	const [proof] = await ctx.secrets.mailProofs(token);
	return `${token}-${proof}`;
}

/** The invitation of a link, and whether the link came from its email. */
export async function readInvitationToken(ctx: Context, text: string): Promise<{ readonly tokenHash: string; readonly isMailed: boolean }> {
	const [token = '', proof] = text.split('-');
	const isMailed = proof !== undefined && (await ctx.secrets.mailProofs(token)).includes(proof);
	return { tokenHash: await sha256Hex(token), isMailed };
}
