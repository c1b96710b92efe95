import { and, eq, ne, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith, runBatch } from '../db/client.ts';
import { sessions, users } from '../db/schema/accounts.ts';
import { Rejection } from '../domain/rejection.ts';
import { auditEntry } from './audit.ts';
import { hashPassword, isPassword } from './password.ts';
import type { Actor } from './session.ts';

/** A new password, which ends every session but the one that asked. 403 where the old one is wrong. */
export async function changePassword(
	ctx: Context,
	actor: Actor,
	tokenHash: string,
	passwords: { readonly old: string; readonly new: string },
): Promise<void> {
	const oldHash = await requirePassword(ctx, actor, passwords.old, 'old_password is wrong');
	const newHash = await hashPassword(passwords.new);
	try {
		await runBatch(ctx.db, [
			// NULL, which the column refuses, where another request changed the password since.
			ctx.db
				.update(users)
				.set({ passwordHash: sql`(SELECT ${newHash} WHERE ${users.passwordHash} = ${oldHash})` })
				.where(eq(users.id, actor.userId)),
			ctx.db.delete(sessions).where(and(eq(sessions.userId, actor.userId), ne(sessions.tokenHash, tokenHash))),
			auditEntry(ctx, actor, { workspaceId: null, action: 'password.change' }),
		]);
	} catch (error) {
		if (!refusedWith(error, 'users.password_hash')) throw error;
		// Refused by its own earlier try, whose answer was lost?
		if ((await findPasswordHash(ctx, actor)) !== newHash)
			throw new Rejection('conflict', { message: 'The password was changed meanwhile: sign in again' });
	}
}

/** The hash of the actor's password, once they have entered it again. Rejects with 403. */
export async function requirePassword(ctx: Context, actor: Actor, password: string, refusal: string): Promise<string> {
	const stored = await findPasswordHash(ctx, actor);
	if (stored === undefined || !(await isPassword(password, stored))) throw new Rejection('forbidden', { message: refusal });
	return stored;
}

async function findPasswordHash(ctx: Context, actor: Actor): Promise<string | undefined> {
	const [user] = await ctx.db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, actor.userId));
	return user?.passwordHash;
}
