import { and, eq, ne, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { passwordResets, sessions, users } from '../db/schema/accounts.ts';
import { conflict, invalid } from '../domain/rejection.ts';
import { auditEntry } from './audit.ts';
import { hashPassword, requireUnguessable } from './password.ts';
import { findPasswordHash, requirePassword } from './require-password.ts';
import type { Actor } from './session.ts';

/** A new password, which ends every session but the one that asked, and every link to reset it. 403 where the old one is wrong, 400 where it is the new one too. */
export async function changePassword(
	ctx: Context,
	actor: Actor,
	tokenHash: string,
	passwords: { readonly old: string; readonly new: string },
): Promise<void> {
	if (passwords.new === passwords.old) throw invalid('new_password is the one that you have: choose another');
	requireUnguessable('new_password', passwords.new, actor);
	const purpose = { workspaceId: null, action: 'password.change' } as const;
	const oldHash = await requirePassword(ctx, actor, passwords.old, { ...purpose, refusal: 'old_password is wrong' });
	const newHash = await hashPassword('known', passwords.new);
	try {
		await write(ctx.db, [
			// NULL, which the column refuses, where another request changed the password since.
			ctx.db
				.update(users)
				.set({ passwordHash: sql`(SELECT ${newHash} WHERE ${users.passwordHash} = ${oldHash})` })
				.where(eq(users.id, actor.userId)),
			ctx.db.delete(sessions).where(and(eq(sessions.userId, actor.userId), ne(sessions.tokenHash, tokenHash))),
			ctx.db.delete(passwordResets).where(eq(passwordResets.userId, actor.userId)),
			auditEntry(ctx, actor, purpose),
		]);
	} catch (error) {
		if (!refusedWith(error, 'users.password_hash')) throw error;
		// Refused by its own earlier try, whose answer was lost?
		if ((await findPasswordHash(ctx, actor)) !== newHash) throw conflict('The password was changed meanwhile: sign in again');
	}
}
