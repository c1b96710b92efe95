import { and, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { sessions } from '../db/schema/accounts.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { programs } from '../db/schema/programs.ts';
import { notFound, Rejection } from '../domain/rejection.ts';
import { actorOf, selectActor } from './session.ts';

/** Includes the signed-in person. */
export type PartnerMembership = NonNullable<Awaited<ReturnType<typeof findPartnerMembership>>>;

export type MembershipStatus = PartnerMembership['status'];

const RANKS = { active: 2, suspended: 1, ended: 0 } as const satisfies Record<MembershipStatus, number>;

const TOO_LITTLE = {
	suspended: 'The program has suspended you: you can read but not change anything',
	ended: 'You are no longer a partner of this program: you can still read what you earned',
} as const;

/** Finds the membership if the session's user is that partner. One round trip. Rejects with 401. */
export async function findPartnerMembership(ctx: Context, tokenHash: string, address: string | null, id: number | undefined) {
	const found = await read(ctx.db, {
		users: selectActor(ctx, tokenHash),
		memberships: ctx.db
			.select({
				id: partnerPrograms.id,
				status: partnerPrograms.status,
				createdAt: partnerPrograms.createdAt,
				groupId: partnerPrograms.groupId,
				partner: { id: partners.id, name: partners.name },
				workspaceId: programs.workspaceId,
				program: {
					id: programs.id,
					name: programs.name,
					domain: programs.domain,
					currency: programs.currency,
					timeZone: programs.timeZone,
					cookieWindowDays: programs.cookieWindowDays,
					active: programs.active,
					archivedAt: programs.archivedAt,
					payoutMinimumCents: programs.payoutMinimumCents,
				},
			})
			.from(sessions)
			.innerJoin(partners, eq(partners.userId, sessions.userId))
			.innerJoin(partnerPrograms, eq(partnerPrograms.partnerId, partners.id))
			.innerJoin(programs, eq(programs.id, partnerPrograms.programId))
			.where(and(eq(sessions.tokenHash, tokenHash), eq(partnerPrograms.id, id ?? 0))),
	});
	const actor = actorOf(ctx, found.users, address);
	return found.memberships[0] && { ...found.memberships[0], actor };
}

/** Rejects with 404 for memberships of others, and with 403 if `atLeast` demands a better status. */
export function requireMembershipOf(membership: PartnerMembership | undefined, atLeast: MembershipStatus): PartnerMembership {
	if (!membership) throw notFound('Partner program');
	const { status } = membership;
	if (status === 'active' || RANKS[status] >= RANKS[atLeast]) return membership;
	throw new Rejection('forbidden', { message: TOO_LITTLE[status] });
}
