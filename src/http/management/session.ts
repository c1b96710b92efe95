import { createMiddleware } from 'hono/factory';
import {
	findProgram,
	findWorkspace,
	type ManagedProgram,
	type ManagedWorkspace,
	requireProgramOf,
	requireWorkspaceOf,
} from '../../accounts/membership.ts';
import { findOwnPartner, type OwnPartner } from '../../accounts/own-partner.ts';
import {
	findPartnerMembership,
	type MembershipStatus,
	type PartnerMembership,
	requireMembershipOf,
} from '../../accounts/partner-membership.ts';
import { type Actor, requireActor } from '../../accounts/session.ts';
import { notFound, Rejection, type RejectionCode } from '../../domain/rejection.ts';
import type { Role } from '../../domain/people/role.ts';
import { requireNotArchived } from '../../programs/archive.ts';
import { sha256Hex } from '../../secrets.ts';
import type { AppContext, AppEnv } from '../app-env.ts';
import { clientAddress, clientNetwork, requireWithinLimit } from '../limits.ts';
import { replicaContext } from '../replica-reads.ts';
import { cookieTokenOf, requireOwnPage } from '../session-cookie.ts';
import { parseId, pathId, requireNoQuery } from '../validate.ts';

// Middleware that finds the caller. Every management route starts with one of these.

/** Finds the signed-in person. Rejects with 401, and with 400 for a write with a query, which would have no effect. */
export const requireSession = createMiddleware<AppEnv & { Variables: { actor: Actor; sessionHash: string } }>(async (c, next) => {
	const sessionHash = await requireSessionHash(c);
	c.set('sessionHash', sessionHash);
	c.set('actor', await requireActor(c.var.ctx, sessionHash, await clientAddress(c)));
	requireNoQueryToWrite(c);
	await next();
});

/**
 * Finds the program of `:id` for members with at least this role. Rejects with 401, 400 (invalid id), 404, 403, and then like
 * requireSession. Later reads may use a replica (decision 68).
 */
export function requireProgram(atLeast: Role) {
	return createMiddleware<AppEnv & { Variables: { program: ManagedProgram } }>(async (c, next) => {
		const found = await findProgram(c.var.ctx, await requireSessionHash(c), await clientAddress(c), parseId(c.req.param('id') ?? ''));
		pathId(c, 'id');
		c.set('program', requireProgramOf(found, atLeast));
		c.set('ctx', replicaContext(c));
		requireNoQueryToWrite(c);
		await next();
	});
}

/** For routes that add to a program, after requireProgram. Rejects with 409 if the program is archived (decision 59). */
export const unlessArchived = createMiddleware<AppEnv & { Variables: { program: ManagedProgram } }>(async (c, next) => {
	requireNotArchived(c.var.program);
	await next();
});

/**
 * Finds the workspace of `:id` for members with at least this role. Rejects with 401, 400 (invalid id), 403 even if it does not exist, and
 * then like requireSession.
 */
export function requireWorkspace(atLeast: Role) {
	return createMiddleware<AppEnv & { Variables: { workspace: ManagedWorkspace } }>(async (c, next) => {
		const found = await findWorkspace(c.var.ctx, await requireSessionHash(c), await clientAddress(c), parseId(c.req.param('id') ?? ''));
		pathId(c, 'id');
		c.set('workspace', requireWorkspaceOf(found, atLeast));
		requireNoQueryToWrite(c);
		await next();
	});
}

/**
 * Finds the membership of `:id` for its partner, with this status or a better one. Rejects with 401, 400 (invalid id), 404 (unknown or
 * somebody else's), 403, and then like requireSession. Later reads may use a replica (decision 68).
 */
export function requirePartnerProgram(atLeast: MembershipStatus) {
	return createMiddleware<AppEnv & { Variables: { membership: PartnerMembership } }>(async (c, next) => {
		const id = parseId(c.req.param('id') ?? '');
		const found = await findPartnerMembership(c.var.ctx, await requireSessionHash(c), await clientAddress(c), id);
		pathId(c, 'id');
		c.set('membership', requireMembershipOf(found, atLeast));
		c.set('ctx', replicaContext(c));
		requireNoQueryToWrite(c);
		await next();
	});
}

/**
 * Finds the partner of `:partnerId` for the person who accepted its invitation. Rejects with 401, 400, 404, and then like requireSession.
 */
export const requirePartnerAccount = createMiddleware<AppEnv & { Variables: { partner: OwnPartner } }>(async (c, next) => {
	const partnerId = parseId(c.req.param('partnerId') ?? '');
	const found = await findOwnPartner(c.var.ctx, await requireSessionHash(c), await clientAddress(c), partnerId);
	pathId(c, 'partnerId');
	if (!found) throw notFound('Partner account');
	c.set('partner', found);
	requireNoQueryToWrite(c);
	await next();
});

function requireNoQueryToWrite(c: AppContext): void {
	if (isWrite(c)) requireNoQuery(c);
}

function isWrite(c: AppContext): boolean {
	return c.req.method !== 'GET' && c.req.method !== 'HEAD';
}

/**
 * The SHA-256 of the session token, which itself is not stored. Rejects before any look-up: 401 without a token, 403 if another site's page
 * writes by cookie, 429 if the client calls too often.
 */
export async function requireSessionHash(c: AppContext, missing: RejectionCode = 'session_missing'): Promise<string> {
	const token = bearerOf(c) ?? cookieTokenOf(c);
	if (token === undefined) throw new Rejection(missing);
	if (isByCookie(c) && isWrite(c)) requireOwnPage(c);
	await requireWithinLimit(c.env.SESSION_LIMIT, await clientNetwork(c));
	return sha256Hex(token);
}

export function isByCookie(c: AppContext): boolean {
	return bearerOf(c) === undefined;
}

/** Whether a session token was sent, valid or not. */
export function isSignedIn(c: AppContext): boolean {
	return (bearerOf(c) ?? cookieTokenOf(c)) !== undefined;
}

function bearerOf(c: AppContext): string | undefined {
	return /^Bearer +(\S+)$/.exec(c.req.header('Authorization')?.trim() ?? '')?.[1];
}
