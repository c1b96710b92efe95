import { and, eq, gt, isNull, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { sessions, users } from '../db/schema/accounts.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { Rejection } from '../domain/rejection.ts';

/** The signed-in person behind a call, and where the call came from. */
export interface Actor {
	readonly userId: number;
	readonly email: string;
	readonly name: string;
	readonly address: string | null;
}

const SESSION_DAYS = 30;

/** Whose session it is. Rejects with 401 where it is unknown, has ended, or its user is deactivated. */
export async function requireActor(ctx: Context, tokenHash: string, address: string | null): Promise<Actor> {
	const [user] = await ctx.db
		.select({ userId: users.id, email: users.email, name: users.name })
		.from(sessions)
		.innerJoin(users, eq(users.id, sessions.userId))
		.where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, ctx.now), isNull(users.deactivatedAt)));
	if (!user) throw new Rejection('session_unknown');
	return { ...user, address };
}

/** A new session of 30 days, for the batch that signs the user in. */
export function insertSession(ctx: Context, userId: number | SQL<number>, tokenHash: string): Statement {
	return ctx.db.insert(sessions).values({ tokenHash, userId, createdAt: ctx.now, expiresAt: ctx.now + SESSION_DAYS * DAY_MS });
}
