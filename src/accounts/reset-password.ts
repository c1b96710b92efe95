import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { passwordResets, sessions, users } from '../db/schema/accounts.ts';
import { invalid } from '../domain/rejection.ts';
import { sha256Hex } from '../secrets.ts';
import { auditEntry } from './audit.ts';
import { emailPasswordChange } from './change-password.ts';
import { hashPassword, requireUnguessable } from './password.ts';
import { provedNow } from './proved-address.ts';
import { findPasswordHash } from './require-password.ts';

const REFUSAL = 'token is unknown, already used or expired. Request a new link';

/** Also ends all sessions and links of the person, and notifies them by email. An emailed link proves the address. 400 if the link does not work. */
export async function resetPassword(
	ctx: Context,
	reset: { readonly token: string; readonly password: string },
	address: string | null,
): Promise<{ readonly id: number; readonly email: string; readonly name: string }> {
	const tokenHash = await sha256Hex(reset.token);
	const [holder] = await selectHolder(ctx, tokenHash);
	if (!holder) throw invalid(REFUSAL);
	const { isMailed, ...user } = holder;
	requireUnguessable('new_password', reset.password, user);
	const newHash = await hashPassword('known', reset.password);
	// NULL fails the batch if another request has used the link, or the person was deactivated.
	const hashWhileItWorks: SQL<string> = sql`(SELECT ${newHash} WHERE EXISTS ${selectHolder(ctx, tokenHash)})`;
	try {
		await write(ctx.db, [
			ctx.db
				.update(users)
				.set({ passwordHash: hashWhileItWorks, ...(isMailed && { emailProvedAt: provedNow(ctx) }) })
				.where(eq(users.id, user.id)),
			ctx.db.delete(passwordResets).where(eq(passwordResets.userId, user.id)),
			ctx.db.delete(sessions).where(eq(sessions.userId, user.id)),
			auditEntry(ctx, { userId: user.id, address }, { workspaceId: null, action: 'password.reset' }),
		]);
	} catch (error) {
		if (!refusedWith(error, 'users.password_hash')) throw error;
		// An earlier try may have succeeded but lost its response.
		if ((await findPasswordHash(ctx, { userId: user.id })) !== newHash) throw invalid(REFUSAL);
	}
	emailPasswordChange(ctx, user);
	return user;
}

/** The active user of a link that has not expired. */
function selectHolder(ctx: Context, tokenHash: string) {
	return ctx.db
		.select({ id: users.id, email: users.email, name: users.name, isMailed: passwordResets.mailed })
		.from(passwordResets)
		.innerJoin(users, eq(users.id, passwordResets.userId))
		.where(and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, ctx.now), isNull(users.deactivatedAt)));
}
