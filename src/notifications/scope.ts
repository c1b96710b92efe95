import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { members } from '../db/schema/accounts.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { programs } from '../db/schema/programs.ts';
import { notifications } from '../db/schema/work.ts';
import { notFound } from '../domain/rejection.ts';
import { isToMember, type Readers, selectPartnerIds } from './notification.ts';

/** All of a user's notifications, those of one partner membership, or those of one program as a member. */
export interface NotificationScope {
	readonly partnerProgramId?: number | undefined;
	readonly programId?: number | undefined;
}

/** Rejects with 404 if the scope is not the user's. */
export async function readersWithin(ctx: Context, userId: number, scope: NotificationScope): Promise<Readers> {
	const { partnerProgramId, programId } = scope;
	if (partnerProgramId !== undefined) return requirePartnerOf(ctx, userId, partnerProgramId);
	if (programId !== undefined) return requireMemberOf(ctx, userId, programId);
	return { readers: [isToMember(ctx, userId), inArray(notifications.partnerId, selectPartnerIds(ctx, userId))] };
}

async function requirePartnerOf(ctx: Context, userId: number, partnerProgramId: number): Promise<Required<Readers>> {
	const [membership] = await ctx.db
		.select({ partnerId: partners.id, programId: partnerPrograms.programId })
		.from(partnerPrograms)
		.innerJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.where(and(eq(partnerPrograms.id, partnerProgramId), eq(partners.userId, userId)));
	if (!membership) throw notFound('Partner program');
	return { readers: [eq(notifications.partnerId, membership.partnerId)], programId: membership.programId };
}

async function requireMemberOf(ctx: Context, userId: number, programId: number): Promise<Required<Readers>> {
	const [program] = await ctx.db
		.select({ id: programs.id })
		.from(programs)
		.innerJoin(members, and(eq(members.workspaceId, programs.workspaceId), eq(members.userId, userId), isNull(members.deactivatedAt)))
		.where(eq(programs.id, programId));
	if (!program) throw notFound('Program');
	return { readers: [eq(notifications.userId, userId)], programId };
}
