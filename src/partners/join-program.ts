import { type SQL, sql } from 'drizzle-orm';
import type { ManagedProgram } from '../accounts/membership.ts';
import { invitingRefusal, partnerInvitation } from '../accounts/partner-invitation.ts';
import type { Context } from '../context.ts';
import { refusedWith, type Statement } from '../db/client.ts';
import { partners } from '../db/schema/partners.ts';
import { dayOf } from '../domain/calendar.ts';
import type { MetricDelta } from '../domain/reporting/metric-deltas.ts';
import { conflict, invalid, type Rejection } from '../domain/rejection.ts';
import { searchTextOf } from '../domain/search-text.ts';

export type JoinedProgram = Pick<ManagedProgram, 'id' | 'workspaceId' | 'name' | 'timeZone' | 'actor'>;

export interface JoiningPartner {
	readonly name: string;
	/** Normalised. */
	readonly email: string;
	readonly groupId: number | undefined;
	/** Owns the account if the workspace does not know the address. Only for a person who has proved it. */
	readonly userId?: SQL<number> | null;
}

export interface Joining {
	readonly partnerId: SQL<number>;
	readonly token: string;
	/** `beside` runs after the partner is inserted and before they join the program. */
	readonly writes: (shortLink: string, beside?: readonly Statement[]) => Statement[];
}

/** A partner whose address the workspace knows keeps their name, and a former member rejoins. */
export async function joining(ctx: Context, program: JoinedProgram, partner: JoiningPartner): Promise<Joining> {
	const partnerId = sql<number>`(SELECT id FROM partners WHERE workspace_id = ${program.workspaceId} AND email = ${partner.email})`;
	const invitation = await partnerInvitation(ctx, program, partnerId, 'skip');
	return {
		partnerId,
		token: invitation.token,
		writes: (shortLink, beside = []) => [
			insertPartner(ctx, program, partner),
			...beside,
			countPartner(ctx, program, partnerId),
			joinProgram(ctx, program, partnerId, partner.groupId),
			insertFirstLink(ctx, program, partnerId, shortLink),
			...invitation.writes,
		],
	};
}

/** The rejection if the joining partner made the batch fail. */
export function joiningRefusal(error: unknown, email: string): Rejection | undefined {
	if (refusedWith(error, 'partner_programs: no such group')) return invalid('group_id must be a group of this program');
	if (refusedWith(error, 'NOT NULL constraint failed: partner_programs.status'))
		return conflict(`${email} is already a partner of this program`);
	return invitingRefusal(error);
}

function insertPartner(ctx: Context, { workspaceId }: JoinedProgram, { name, email, userId = null }: JoiningPartner): Statement {
	return ctx.db
		.insert(partners)
		.values({ workspaceId, name, email, userId, createdAt: ctx.now, searchText: searchTextOf([name, email]) })
		.onConflictDoNothing({ target: [partners.workspaceId, partners.email] });
}

/** A partner who rejoins stays counted on the day they first joined. */
function countPartner(ctx: Context, program: JoinedProgram, idOfPartner: SQL<number>): Statement {
	const moves: readonly MetricDelta[] = [{ day: dayOf(ctx.now, program.timeZone), partners: 1 }];
	return ctx.db.run(sql`
		INSERT INTO outbox (program_id, id, kind, subject_id, moves, created_at)
		SELECT ${program.id}, ${crypto.randomUUID()}, 'partner_joined', ${idOfPartner}, ${JSON.stringify(moves)}, ${ctx.now}
		WHERE NOT EXISTS (SELECT 1 FROM partner_programs WHERE program_id = ${program.id} AND partner_id = ${idOfPartner})`);
}

/** If the membership has not ended, the CASE is NULL and the batch fails. */
function joinProgram(ctx: Context, program: JoinedProgram, idOfPartner: SQL<number>, groupId: number | undefined): Statement {
	return ctx.db.run(sql`
		INSERT INTO partner_programs (program_id, partner_id, status, created_at, created_day, group_id)
		VALUES (${program.id}, ${idOfPartner}, 'active', ${ctx.now}, ${dayOf(ctx.now, program.timeZone)}, ${groupId ?? null})
		ON CONFLICT (program_id, partner_id) DO UPDATE SET
			status = CASE partner_programs.status WHEN 'ended' THEN 'active' END, status_reason = NULL, group_id = excluded.group_id`);
}

function insertFirstLink(ctx: Context, program: JoinedProgram, idOfPartner: SQL<number>, shortLink: string): Statement {
	return ctx.db.run(sql`
		INSERT INTO referral_links (program_id, partner_program_id, short_link, created_at, search_text)
		SELECT program_id, id, ${shortLink}, ${ctx.now}, ${searchTextOf([shortLink])} FROM partner_programs
		WHERE program_id = ${program.id} AND partner_id = ${idOfPartner}`);
}
