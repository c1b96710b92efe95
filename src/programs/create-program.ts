import { and, asc, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import { requireRank } from '../accounts/membership.ts';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { read, type Statement, violates, write } from '../db/client.ts';
import { members } from '../db/schema/accounts.ts';
import { programs } from '../db/schema/programs.ts';
import { leastRetentionDays } from '../domain/attribution/click-retention.ts';
import { originsOfDomain } from '../domain/origin.ts';
import { Rejection } from '../domain/rejection.ts';
import { type SentTerms, type Terms, termsOf } from '../domain/commissions/terms.ts';
import { insertRule, insertRuleVersion, newestRuleId } from './commission-rule.ts';
import { insertKey, type NewKey, newKey } from './insert-key.ts';
import { insertOrigins } from './insert-origins.ts';
import { programIdOfKey } from './program-key.ts';
import { retentionRefusal } from './change-retention.ts';
import { type ProgramView, selectPrograms } from './program-view.ts';

export interface ProgramSettings {
	readonly name: string;
	readonly domain: string | null;
	readonly currency: string;
	readonly cookieWindowDays: number;
	/** Null keeps them for ever. */
	readonly clickRetentionDays: number | null;
	readonly allowedOrigins: readonly string[];
	readonly timeZone: string;
	readonly serverLeadsOnly: boolean;
	readonly keepEmails: boolean;
	readonly payoutMinimumCents: number;
	readonly renewalsFollowCheckout: boolean;
	readonly couponWins: boolean;
	readonly rulesByLine: boolean;
	readonly partnerPostbacks: boolean;
}

export interface NewProgram extends ProgramSettings {
	/** Default: the first workspace that the actor owns or administers. */
	readonly workspaceId: number | undefined;
	/** The default rule. */
	readonly commission: SentTerms | undefined;
}

/** Creates a program with its key. Needs an admin. */
export async function createProgram(
	ctx: Context,
	actor: Actor,
	{ workspaceId: requestedId, commission, ...settings }: NewProgram,
): Promise<ProgramView & { apiToken: string }> {
	const workspaceId = await requireWorkspaceId(ctx, actor, requestedId);
	const { cookieWindowDays, clickRetentionDays } = settings;
	if ((clickRetentionDays ?? Infinity) < leastRetentionDays(cookieWindowDays)) throw retentionRefusal(cookieWindowDays);
	const terms = commission && termsOf(commission, settings.currency);
	const key = await newKey(ctx);
	const made = { programs: selectPrograms(ctx).where(eq(programs.id, programIdOfKey(key.hash))) };
	const writes = insertProgram(ctx, actor, { ...settings, workspaceId, terms, key });
	const found = await write(ctx.db, writes, made).catch((error: unknown) => {
		// If a retry finds its key, the first attempt succeeded but its response was lost.
		if (violates(error, 'program_keys.token_hash')) return read(ctx.db, made);
		throw error;
	});
	// Cached preflights may be outdated.
	ctx.origins.clear();
	ctx.hostOwners.clear();
	const [created] = found.programs;
	if (!created) throw new Error('The new program is gone');
	return { ...created, apiToken: key.token };
}

/** Rejects with 403. */
async function requireWorkspaceId(ctx: Context, actor: Actor, requestedId: number | undefined): Promise<number> {
	const isRequested = requestedId === undefined ? inArray(members.role, ['owner', 'admin']) : eq(members.workspaceId, requestedId);
	const [member] = await ctx.db
		.select({ workspaceId: members.workspaceId, role: members.role })
		.from(members)
		.where(and(eq(members.userId, actor.userId), isRequested, isNull(members.deactivatedAt)))
		.orderBy(asc(members.id))
		.limit(1);
	if (!member && requestedId === undefined) throw new Rejection('forbidden', { message: 'You are not an owner or admin of any workspace' });
	if (!member) throw new Rejection('not_a_member');
	requireRank(member.role, 'admin');
	return member.workspaceId;
}

function insertProgram(
	ctx: Context,
	actor: Actor,
	{
		terms,
		key,
		allowedOrigins,
		...columns
	}: ProgramSettings & { readonly workspaceId: number; readonly terms: Terms | undefined; readonly key: NewKey },
): Statement[] {
	const { workspaceId, domain } = columns;
	const origins = [...allowedOrigins, ...(domain === null ? [] : originsOfDomain(domain))];
	// In the transaction, the largest id is the inserted row. Later statements find it by its key.
	const newestId: SQL<number> = sql`(SELECT max(${programs.id}) FROM ${programs})`;
	const programId = programIdOfKey(key.hash);
	return [
		ctx.db
			.insert(programs)
			.values({ ...columns, retireClicksAt: columns.clickRetentionDays === null ? null : ctx.now, active: true, createdAt: ctx.now }),
		insertKey(ctx, newestId, key),
		insertOrigins(ctx, programId, origins),
		...(terms
			? [insertRule(ctx, programId, { partnerId: null, groupId: null, productId: null }), insertRuleVersion(ctx, newestRuleId, 1, terms)]
			: []),
		auditEntry(ctx, actor, {
			workspaceId,
			programId,
			action: 'program.create',
			subjectId: programId,
			detail: { ...columns, origins, terms },
		}),
	];
}
