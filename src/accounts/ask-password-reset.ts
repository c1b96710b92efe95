import { and, count, eq, gt, isNull, lte } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { write } from '../db/client.ts';
import { passwordResets, users } from '../db/schema/accounts.ts';
import { HOUR_MS } from '../domain/calendar.ts';
import { newToken, sha256Hex } from '../secrets.ts';
import { auditEntry } from './audit.ts';

export const RESET_HOURS = 1;
/** The most valid links per person, so that nobody's inbox is flooded. */
const MOST_LINKS = 3;
/** Time for the response to be sent first. */
const HEAD_START_MS = 50;

/**
 * Emails a one-time reset link if mail is on and the address belongs to an active user. Timing reveals nothing: every address gets the same
 * response after the same lookup, and the rest runs after it.
 */
export async function askPasswordReset(ctx: Context, email: string, address: string | null): Promise<void> {
	const [user] = await ctx.db
		.select({ id: users.id, email: users.email, name: users.name, links: count(passwordResets.tokenHash) })
		.from(users)
		.leftJoin(passwordResets, and(eq(passwordResets.userId, users.id), gt(passwordResets.expiresAt, ctx.now)))
		.where(and(eq(users.email, email), isNull(users.deactivatedAt)))
		.groupBy(users.id);
	if (user) ctx.defer(afterTheAnswer().then(() => mailLink(ctx, user, address)));
}

function afterTheAnswer(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, HEAD_START_MS));
}

async function mailLink(
	ctx: Context,
	user: { readonly id: number; readonly email: string; readonly name: string; readonly links: number },
	address: string | null,
): Promise<void> {
	const mail = user.links < MOST_LINKS ? ctx.mail : undefined;
	const detail = { mailed: mail !== undefined };
	const entry = auditEntry(ctx, { userId: null, address }, { workspaceId: null, action: 'password_reset.ask', subjectId: user.id, detail });
	const token = newToken('rst');
	const tokenHash = await sha256Hex(token);
	const expiresAt = ctx.now + RESET_HOURS * HOUR_MS;
	const link = [
		ctx.db.delete(passwordResets).where(lte(passwordResets.expiresAt, ctx.now)),
		ctx.db.insert(passwordResets).values({ tokenHash, userId: user.id, createdAt: ctx.now, expiresAt, mailed: true }),
	];
	try {
		await write(ctx.db, [...(mail ? link : []), entry]);
	} catch (error) {
		ctx.log({ level: 'error', event: 'password_reset_not_written', ...describeFault(error) });
		return;
	}
	await mail?.({ kind: 'password_reset', to: user.email, name: user.name, token });
}
