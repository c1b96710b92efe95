import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { users } from '../db/schema/accounts.ts';
import { Rejection } from '../domain/rejection.ts';
import { type AuditedAction, noteRefusal } from './audit.ts';
import { isPassword } from './password.ts';
import type { Actor } from './session.ts';

/**
 * Checks the password that the actor entered again, and returns its hash. Rejects with 403 and audits it, because somebody with a stolen
 * session may be guessing.
 */
export async function requirePassword(
	ctx: Context,
	actor: Actor,
	password: string,
	purpose: AuditedAction & { readonly refusal?: string },
): Promise<string> {
	return requireStoredPassword(ctx, actor, { password, stored: await findPasswordHash(ctx, actor) }, purpose);
}

/** Like `requirePassword`, if the hash was read together with something else. */
export async function requireStoredPassword(
	ctx: Context,
	actor: Actor,
	{ password, stored }: { readonly password: string; readonly stored: string | undefined },
	{ refusal = 'password is wrong', ...purpose }: AuditedAction & { readonly refusal?: string },
): Promise<string> {
	if (stored !== undefined && (await isPassword('known', password, stored))) return stored;
	ctx.log({ level: 'warn', event: 'password_refused', userId: actor.userId, for: purpose.action });
	await noteRefusal(ctx, actor, { ...purpose, action: 'password.refuse', detail: { for: purpose.action } });
	throw new Rejection('forbidden', { message: refusal });
}

export async function findPasswordHash(ctx: Context, actor: Pick<Actor, 'userId'>): Promise<string | undefined> {
	const [user] = await selectPasswordHash(ctx, actor);
	return user?.passwordHash;
}

export function selectPasswordHash(ctx: Context, { userId }: Pick<Actor, 'userId'>) {
	return ctx.db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId));
}
