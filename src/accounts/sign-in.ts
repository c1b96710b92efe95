import { and, eq, lte, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith, violates, write } from '../db/client.ts';
import { sessions, users } from '../db/schema/accounts.ts';
import { networkOf } from '../domain/people/client-network.ts';
import { Rejection } from '../domain/rejection.ts';
import { deferEmail } from './defer-email.ts';
import { newToken, sha256Hex } from '../secrets.ts';
import { auditEntry, noteRefusal } from './audit.ts';
import type { Lane } from './serialized.ts';
import type { Account } from './known-network.ts';
import { isPassword } from './password.ts';
import { type Client, insertSession } from './session.ts';

export interface Attempt {
	readonly password: string;
	/** `known` for a network or browser that has signed in to the account before (decision 58). */
	readonly lane: Lane;
	readonly client: Client;
}

export interface SignedIn {
	readonly token: string;
	readonly user: { readonly id: number; readonly email: string; readonly name: string };
}

/**
 * Unknown addresses, wrong passwords and deactivated users get the same 401 after the same time. A sign-in from a network and browser that
 * are new to the account is reported to the person by email.
 */
export async function signIn(ctx: Context, { email, user }: Account, attempt: Attempt): Promise<SignedIn> {
	const isRight = await isPassword(attempt.lane, attempt.password, user?.passwordHash);
	const { client } = attempt;
	if (!user || !isRight) {
		await logRefusal(ctx, email, client.address);
		// Deferred, because a delay would reveal that the account exists.
		if (user) ctx.defer(noteRefusal(ctx, { userId: user.id, address: client.address }, { workspaceId: null, action: 'session.refuse' }));
		throw new Rejection('sign_in_failed');
	}
	const token = newToken('ses');
	await startSession(ctx, user, await sha256Hex(token), client);
	if (attempt.lane === 'stranger') emailNewDevice(ctx, user, client);
	return { token, user: { id: user.id, email: user.email, name: user.name } };
}

function emailNewDevice(ctx: Context, { email, name }: SignedIn['user'], { address, userAgent }: Client): void {
	const network = address === null ? null : networkOf(address);
	deferEmail(ctx, { kind: 'new_device', to: email, name, at: ctx.now, userAgent, network });
}

/** Pseudonyms are enough to see a pattern. */
async function logRefusal(ctx: Context, email: string, address: string | null): Promise<void> {
	const client = address === null ? null : await ctx.secrets.pseudonym(networkOf(address));
	ctx.log({ level: 'warn', event: 'sign_in_refused', account: await ctx.secrets.pseudonym(email), client });
}

/** Also deletes the user's expired sessions, so that the table does not grow. */
async function startSession(
	ctx: Context,
	user: { readonly id: number; readonly passwordHash: string },
	tokenHash: string,
	client: Client,
): Promise<void> {
	// NULL fails the batch if the password changed or the user was deactivated during the check.
	const userId: SQL<number> = sql`(SELECT ${users.id} FROM ${users}
		WHERE ${users.id} = ${user.id} AND ${users.passwordHash} = ${user.passwordHash} AND ${users.deactivatedAt} IS NULL)`;
	try {
		await write(ctx.db, [
			insertSession(ctx, userId, tokenHash, client),
			ctx.db.delete(sessions).where(and(eq(sessions.userId, user.id), lte(sessions.expiresAt, ctx.now))),
			auditEntry(ctx, { userId: user.id, address: client.address }, { workspaceId: null, action: 'session.start' }),
		]);
	} catch (error) {
		if (violates(error, 'sessions.token_hash')) return;
		if (refusedWith(error, 'sessions.user_id')) throw new Rejection('sign_in_failed');
		throw error;
	}
}
