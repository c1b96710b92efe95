import { eq, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith, violates, write } from '../db/client.ts';
import { members, sessions, users, workspaces } from '../db/schema/accounts.ts';
import { conflict, Rejection } from '../domain/rejection.ts';
import { isSameSecret, newToken, sha256Hex } from '../secrets.ts';
import { auditEntry } from './audit.ts';
import { hashPassword, requireUnguessable } from './password.ts';
import { type Client, insertSession } from './session.ts';

export interface SignUp extends Client {
	/** Normalised. */
	readonly email: string;
	readonly password: string;
	readonly name: string;
	readonly workspaceName: string | undefined;
	readonly setupToken: string | undefined;
}

export interface SignedUp {
	readonly token: string;
	readonly user: { readonly id: number; readonly email: string; readonly name: string };
	readonly workspace: { readonly id: number; readonly name: string };
}

/**
 * Creates a user with a new workspace and signs them in. 403 if sign-up is by invitation, except for the first person with the setup token.
 * 409 if the address is taken.
 */
export async function signUp(ctx: Context, person: SignUp): Promise<SignedUp> {
	if (ctx.settings.signUp === 'invite') await requireSetupToken(ctx, person.setupToken);
	requireUnguessable('password', person.password, person);
	const passwordHash = await hashPassword('stranger', person.password);
	const token = newToken('ses');
	const tokenHash = await sha256Hex(token);
	try {
		await insertPerson(ctx, person, passwordHash, tokenHash);
	} catch (error) {
		const refusal = refusalOf(error);
		if (!refusal) throw error;
		// The session exists if an earlier try succeeded but lost its response.
		const signedUp = await findSignedUp(ctx, tokenHash);
		if (!signedUp) throw refusal;
		return { token, ...signedUp };
	}
	const signedUp = await findSignedUp(ctx, tokenHash);
	if (!signedUp) throw new Error('The new session is gone');
	return { token, ...signedUp };
}

async function requireSetupToken(ctx: Context, presented: string | undefined): Promise<void> {
	const { setupToken } = ctx.settings;
	const isRight = setupToken && presented !== undefined && (await isSameSecret(presented, setupToken));
	if (!isRight) throw new Rejection('forbidden', { message: 'Sign-up is by invitation only. The first owner must send the setup_token' });
}

async function insertPerson(ctx: Context, person: SignUp, passwordHash: string, tokenHash: string): Promise<void> {
	const userId: SQL<number> = sql`(SELECT ${users.id} FROM ${users} WHERE ${users.email} = ${person.email})`;
	// Within the transaction, the largest id is the inserted row.
	const workspaceId: SQL<number> = sql`(SELECT max(${workspaces.id}) FROM ${workspaces})`;
	await write(ctx.db, [
		ctx.db.insert(users).values({
			email: person.email,
			name: person.name,
			passwordHash: ctx.settings.signUp === 'invite' ? firstOnly(passwordHash) : passwordHash,
			createdAt: ctx.now,
		}),
		ctx.db.insert(workspaces).values({ name: person.workspaceName ?? `${person.name}'s workspace`, createdAt: ctx.now }),
		ctx.db.insert(members).values({ workspaceId, userId, role: 'owner', createdAt: ctx.now }),
		insertSession(ctx, userId, tokenHash, person),
		auditEntry(ctx, { userId, address: person.address }, { workspaceId, action: 'user.sign_up', subjectId: userId }),
	]);
}

/** NULL fails the batch once any user exists, so that only one first owner wins a race. */
function firstOnly(passwordHash: string): SQL<string> {
	return sql`(SELECT ${passwordHash} WHERE NOT EXISTS (SELECT 1 FROM ${users}))`;
}

function refusalOf(error: unknown): Rejection | undefined {
	if (violates(error, 'users.email')) return conflict('email is taken: sign in instead');
	if (refusedWith(error, 'users.password_hash'))
		return new Rejection('forbidden', { message: 'The first owner has already signed up. Ask them for an invitation' });
	return undefined;
}

async function findSignedUp(ctx: Context, tokenHash: string): Promise<Omit<SignedUp, 'token'> | undefined> {
	const [row] = await ctx.db
		.select({
			user: { id: users.id, email: users.email, name: users.name },
			workspace: { id: workspaces.id, name: workspaces.name },
		})
		.from(sessions)
		.innerJoin(users, eq(users.id, sessions.userId))
		.innerJoin(members, eq(members.userId, users.id))
		.innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
		.where(eq(sessions.tokenHash, tokenHash));
	return row;
}
