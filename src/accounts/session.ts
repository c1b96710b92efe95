import { and, eq, gt, isNull, type SQL } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { sessions, users } from '../db/schema/accounts.ts';
import { DAY_MS, HOUR_MS } from '../domain/calendar.ts';
import { networkOf } from '../domain/people/client-network.ts';
import { Rejection } from '../domain/rejection.ts';

/** The signed-in person who makes a call, and their IP address. */
export interface Actor {
	readonly userId: number;
	readonly email: string;
	readonly name: string;
	readonly address: string | null;
}

export interface Client {
	readonly address: string | null;
	readonly userAgent: string | null;
}

export const SESSION_DAYS = 30;

/** Rejects with 401 if the session is unknown or expired, or if the user is deactivated. */
export async function requireActor(ctx: Context, tokenHash: string, address: string | null): Promise<Actor> {
	return actorOf(ctx, await selectActor(ctx, tokenHash), address);
}

/** Returns undefined instead of the 401 of `requireActor`. */
export async function findActor(ctx: Context, tokenHash: string, address: string | null): Promise<Actor | undefined> {
	const found = await selectActor(ctx, tokenHash);
	return found.length === 0 ? undefined : actorOf(ctx, found, address);
}

/** The statement for requireActor, for a shared round trip. */
export function selectActor(ctx: Context, tokenHash: string) {
	return ctx.db
		.select({
			user: { userId: users.id, email: users.email, name: users.name },
			session: { id: sessions.id, createdAt: sessions.createdAt, lastUsedAt: sessions.lastUsedAt },
		})
		.from(sessions)
		.innerJoin(users, eq(users.id, sessions.userId))
		.where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, ctx.now), isNull(users.deactivatedAt)));
}

export function actorOf(ctx: Context, [found]: Awaited<ReturnType<typeof selectActor>>, address: string | null): Actor {
	if (!found) throw new Rejection('session_unknown');
	const { id, createdAt, lastUsedAt } = found.session;
	if (ctx.now - (lastUsedAt ?? createdAt) >= HOUR_MS) ctx.defer(noteUse(ctx, id));
	return { ...found.user, address };
}

async function noteUse(ctx: Context, sessionId: number): Promise<void> {
	try {
		await ctx.db.update(sessions).set({ lastUsedAt: ctx.now }).where(eq(sessions.id, sessionId));
	} catch (error) {
		ctx.log({ level: 'warn', event: 'session_use_not_noted', ...describeFault(error) });
	}
}

/** Lasts 30 days. For the batch that signs the user in. */
export function insertSession(ctx: Context, userId: number | SQL<number>, tokenHash: string, { address, userAgent }: Client): Statement {
	return ctx.db.insert(sessions).values({
		tokenHash,
		userId,
		createdAt: ctx.now,
		expiresAt: ctx.now + SESSION_DAYS * DAY_MS,
		network: address === null ? null : networkOf(address),
		userAgent,
	});
}
