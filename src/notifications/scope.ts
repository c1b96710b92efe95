import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { members } from '../db/schema/accounts.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { programs } from '../db/schema/programs.ts';
import { notifications } from '../db/schema/work.ts';
import { notFound } from '../domain/rejection.ts';
import { isToMember, selectPartnerIds } from './notification.ts';

/** Which of a user's notifications are meant: all, those of one membership as a partner, or those of one program as a member. */
export interface NotificationScope {
	readonly partnerProgramId?: number | undefined;
	readonly programId?: number | undefined;
}

type Reader = SQL | undefined;

/** As whom the user reads what is meant, one by one, so that each is along its index. Rejects with 404 what is not theirs. */
export async function readersWithin(ctx: Context, userId: number, scope: NotificationScope): Promise<readonly Reader[]> {
	const { partnerProgramId, programId } = scope;
	if (partnerProgramId !== undefined) return [await requirePartnerOf(ctx, userId, partnerProgramId)];
	if (programId !== undefined) return [await requireMemberOf(ctx, userId, programId)];
	return [isToMember(ctx, userId), inArray(notifications.partnerId, selectPartnerIds(ctx, userId))];
}

/** To the partner, of the program that the membership is in. */
async function requirePartnerOf(ctx: Context, userId: number, partnerProgramId: number): Promise<Reader> {
	const [membership] = await ctx.db
		.select({ partnerId: partners.id, programId: partnerPrograms.programId })
		.from(partnerPrograms)
		.innerJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.where(and(eq(partnerPrograms.id, partnerProgramId), eq(partners.userId, userId)));
	if (!membership) throw notFound('Partner program');
	return and(eq(notifications.partnerId, membership.partnerId), eq(notifications.programId, membership.programId));
}

async function requireMemberOf(ctx: Context, userId: number, programId: number): Promise<Reader> {
	const [program] = await ctx.db
		.select({ id: programs.id })
		.from(programs)
		.innerJoin(members, and(eq(members.workspaceId, programs.workspaceId), eq(members.userId, userId), isNull(members.deactivatedAt)))
		.where(eq(programs.id, programId));
	if (!program) throw notFound('Program');
	return and(isToMember(ctx, userId), eq(notifications.programId, programId));
}
