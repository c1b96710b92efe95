import { type SQL, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import { selectMailable } from '../accounts/invitation.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import { invitingRefusal, partnerInvitation } from '../accounts/partner-invitation.ts';
import type { Context } from '../context.ts';
import { refusedWith, type Statement, write } from '../db/client.ts';
import { partners } from '../db/schema/partners.ts';
import { dayOf } from '../domain/calendar.ts';
import type { Move } from '../domain/moves.ts';
import { conflict, invalid } from '../domain/rejection.ts';
import { type Partner, selectPartners } from './partner.ts';
import { withShortLink } from './short-link.ts';

export interface NewPartner {
	readonly name: string;
	/** Normalised. */
	readonly email: string;
	readonly shortLink: string | undefined;
	readonly groupId: number | undefined;
}

export interface AddedPartner extends Partner {
	/** Of the link to accept by; null where the partner has accepted one before. */
	readonly invitationToken: string | null;
	/** Whether a letter with the link is on its way. */
	readonly isMailed: boolean;
}

/**
 * Adds a partner to the program, with a first link and an invitation. A partner whom the workspace knows by this e-mail keeps its name and
 * joins; one whose membership ended joins again. Rejects with 409 who is in the program already, and a taken short_link; with 400 a
 * group_id that is none of its groups.
 */
export async function addPartner(ctx: Context, program: ManagedProgram, partner: NewPartner): Promise<AddedPartner> {
	const idOfPartner = sql<number>`(SELECT id FROM partners WHERE workspace_id = ${program.workspaceId} AND email = ${partner.email})`;
	const invitation = await partnerInvitation(ctx, program, idOfPartner, 'skip');
	try {
		const found = await withShortLink(ctx, partner.shortLink, async (shortLink) => {
			return write(
				ctx.db,
				[
					insertPartner(ctx, program, partner),
					countPartner(ctx, program, idOfPartner),
					joinProgram(ctx, program, idOfPartner, partner.groupId),
					insertFirstLink(ctx, program, idOfPartner, shortLink),
					...invitation.writes,
					auditProgram(ctx, program, { action: 'partner.add', subjectId: idOfPartner, detail: { short_link: shortLink } }),
				],
				{
					stored: selectPartners(ctx, program.id, { email: partner.email }),
					mailable: ctx.mail && selectMailable(ctx, program.workspaceId, partner.email),
				},
			);
		});
		const [added] = found.stored;
		if (!added) throw new Error('The partner that was just added is missing');
		ctx.links.clear();
		const isInvited = added.userId === null;
		const mail = isInvited && found.mailable[0]?.isMailable ? ctx.mail : undefined;
		if (mail) ctx.defer(mail({ kind: 'partner_invitation', to: partner.email, programName: program.name, token: invitation.token }));
		return { ...added, invitationToken: isInvited ? invitation.token : null, isMailed: mail !== undefined };
	} catch (error) {
		if (refusedWith(error, 'partner_programs: no such group')) throw invalid('group_id must be a group of this program');
		throw refusedWith(error, 'NOT NULL constraint failed: partner_programs.status')
			? conflict(`${partner.email} is a partner of this program already`)
			: (invitingRefusal(error) ?? error);
	}
}

function insertPartner(ctx: Context, program: ManagedProgram, partner: NewPartner): Statement {
	return ctx.db
		.insert(partners)
		.values({ workspaceId: program.workspaceId, name: partner.name, email: partner.email, createdAt: ctx.now })
		.onConflictDoNothing({ target: [partners.workspaceId, partners.email] });
}

/** Whoever joins again counts on the day of the first time. */
function countPartner(ctx: Context, program: ManagedProgram, idOfPartner: SQL<number>): Statement {
	const moves: readonly Move[] = [{ day: dayOf(ctx.now, program.timeZone), partners: 1 }];
	return ctx.db.run(sql`
		INSERT INTO outbox (program_id, id, kind, subject_id, moves, created_at)
		SELECT ${program.id}, ${crypto.randomUUID()}, 'partner_joined', ${idOfPartner}, ${JSON.stringify(moves)}, ${ctx.now}
		WHERE NOT EXISTS (SELECT 1 FROM partner_programs WHERE program_id = ${program.id} AND partner_id = ${idOfPartner})`);
}

/** Only an ended membership becomes active again; for any other the CASE is null and the whole batch fails. */
function joinProgram(ctx: Context, program: ManagedProgram, idOfPartner: SQL<number>, groupId: number | undefined): Statement {
	return ctx.db.run(sql`
		INSERT INTO partner_programs (program_id, partner_id, status, created_at, created_day, group_id)
		VALUES (${program.id}, ${idOfPartner}, 'active', ${ctx.now}, ${dayOf(ctx.now, program.timeZone)}, ${groupId ?? null})
		ON CONFLICT (program_id, partner_id) DO UPDATE SET
			status = CASE partner_programs.status WHEN 'ended' THEN 'active' END, group_id = excluded.group_id`);
}

function insertFirstLink(ctx: Context, program: ManagedProgram, idOfPartner: SQL<number>, shortLink: string): Statement {
	return ctx.db.run(sql`
		INSERT INTO referral_links (program_id, partner_program_id, short_link, created_at)
		SELECT program_id, id, ${shortLink}, ${ctx.now} FROM partner_programs
		WHERE program_id = ${program.id} AND partner_id = ${idOfPartner}`);
}
