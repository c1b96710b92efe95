import { and, eq, ne, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { passwordResets, sessions, users } from '../db/schema/accounts.ts';
import { conflict, invalid } from '../domain/rejection.ts';
import { deferEmail } from './defer-email.ts';
import { auditEntry } from './audit.ts';
import { hashPassword, requireUnguessable } from './password.ts';
import { findPasswordHash, requirePassword } from './require-password.ts';
import type { Actor } from './session.ts';

/** Also ends all other sessions and reset links, and notifies the person by email. 403 for a wrong old password, 400 if both are the same. */
export async function changePassword(
	ctx: Context,
	actor: Actor,
	tokenHash: string,
	passwords: { readonly old: string; readonly new: string },
): Promise<void> {
	if (passwords.new === passwords.old) throw invalid('new_password is your current password. Choose another one');
	requireUnguessable('new_password', passwords.new, actor);
	const purpose = { workspaceId: null, action: 'password.change' } as const;
	const oldHash = await requirePassword(ctx, actor, passwords.old, { ...purpose, refusal: 'old_password is wrong' });
	const newHash = await hashPassword('known', passwords.new);
	try {
		await write(ctx.db, [
			// NULL fails the batch if another request has changed the password.
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
		// An earlier try may have succeeded but lost its response.
		if ((await findPasswordHash(ctx, actor)) !== newHash) throw conflict('The password has changed: sign in again');
	}
	emailPasswordChange(ctx, actor);
}

/** Also for a password that was set by a link. */
export function emailPasswordChange(ctx: Context, { email, name }: Pick<Actor, 'email' | 'name'>): void {
	deferEmail(ctx, { kind: 'password_changed', to: email, name, at: ctx.now });
}
