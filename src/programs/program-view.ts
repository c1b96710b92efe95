import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { programKeys, programs } from '../db/schema/programs.ts';
import { sortedOrigins } from './program-of-link.ts';

/** Has the key's prefix, but never the key. */
export type ProgramView = Awaited<ReturnType<typeof selectPrograms>>[number];

export function selectPrograms(ctx: Context) {
	return ctx.db
		.select({
			id: programs.id,
			workspaceId: programs.workspaceId,
			name: programs.name,
			domain: programs.domain,
			domainVerifiedAt: programs.domainVerifiedAt,
			currency: programs.currency,
			cookieWindowDays: programs.cookieWindowDays,
			clickRetentionDays: programs.clickRetentionDays,
			timeZone: programs.timeZone,
			active: programs.active,
			serverLeadsOnly: programs.serverLeadsOnly,
			keepEmails: programs.keepEmails,
			payoutMinimumCents: programs.payoutMinimumCents,
			renewalsFollowCheckout: programs.renewalsFollowCheckout,
			couponWins: programs.couponWins,
			rulesByLine: programs.rulesByLine,
			partnerPostbacks: programs.partnerPostbacks,
			createdAt: programs.createdAt,
			archivedAt: programs.archivedAt,
			allowedOrigins: sortedOrigins,
			keyPrefix: programKeys.prefix,
			keyLastUsedAt: programKeys.lastUsedAt,
		})
		.from(programs)
		.leftJoin(programKeys, and(eq(programKeys.programId, programs.id), isNull(programKeys.expiresAt)));
}
