import { and, eq, sql } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import { selectMailables } from '../accounts/invitation.ts';
import { mailedInvitationToken, provedUser } from '../accounts/proved-address.ts';
import type { Context } from '../context.ts';
import { read, refusedWith, type Statement, write } from '../db/client.ts';
import { partnerApplications } from '../db/schema/applications.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { conflict, type Rejection } from '../domain/rejection.ts';
import { selectForm, toForm } from './application-form.ts';
import { type Application, isSelected, requireOpen, selectApplications } from './application.ts';
import { type JoinedProgram, type Joining, joining, joiningRefusal } from '../partners/join-program.ts';
import { type Partner, selectPartnersWhere } from '../partners/partner.ts';
import { newShortLink, withShortLink } from '../partners/short-link.ts';

export interface Approval {
	readonly ids: readonly number[];
	/** Undefined means the form's group, if any. */
	readonly groupId?: number | undefined;
	/** Only if a single application is approved. */
	readonly shortLink?: string | undefined;
	/** The form approves automatically; no person decides. */
	readonly isAutomatic?: boolean;
}

export interface ApprovedPartner extends Partner {
	readonly applicationId: number;
	/** For the link to accept the invitation. Null if the person already has the account. */
	readonly invitationToken: string | null;
	readonly isMailed: boolean;
}

interface Approved {
	readonly application: Application;
	readonly joins: Joining;
}

/**
 * Approves all applications or none, and notifies the partners. Needs an admin. A signed-in applicant who is new to the workspace and has
 * proved their address (decision 57) gets the account at once; others accept an invitation. 404 for an unknown application; 409 for a
 * decided one or an existing partner.
 */
export async function approveApplications(ctx: Context, program: JoinedProgram, approval: Approval): Promise<ApprovedPartner[]> {
	const ids = [...new Set(approval.ids)];
	const { selected, form } = await read(ctx.db, {
		selected: selectApplications(ctx, program.id, isSelected(ids)),
		form: selectForm(ctx, program.id),
	});
	requireOpen(ids, selected);
	const groupId = approval.groupId ?? toForm(form).groupId ?? undefined;
	const approved = await Promise.all(
		selected.map(async (application): Promise<Approved> => {
			const { name, email, userId } = application;
			return { application, joins: await joining(ctx, program, { name, email, userId: provedUser(userId, email), groupId }) };
		}),
	);
	const emails = JSON.stringify(selected.map(({ email }) => email));
	const { joined, mailable } = await withShortLink(ctx, approval.shortLink, (shortLink) =>
		write(
			ctx.db,
			approved.flatMap((one, index) => approve(ctx, program, approval, { ...one, shortLink: index === 0 ? shortLink : newShortLink() })),
			{
				joined: selectPartnersWhere(
					ctx,
					and(eq(partnerPrograms.programId, program.id), sql`${partners.email} IN (SELECT value FROM json_each(${emails}))`),
				),
				mailable:
					ctx.mail &&
					selectMailables(
						ctx,
						program.workspaceId,
						selected.map(({ email }) => email),
					),
			},
		),
	).catch((error: unknown) => {
		throw refusalOf(error, selected) ?? error;
	});
	ctx.links.clear();
	const mailables = new Set(mailable.filter(({ isMailable }) => isMailable).map(({ email }) => email));
	const byEmail = new Map(joined.map((partner) => [partner.email, partner]));
	return Promise.all(
		approved.map(async ({ application, joins }) => {
			const partner = byEmail.get(application.email);
			if (!partner) throw new Error('A partner that was just approved is missing');
			const invitationToken = partner.userId === null ? joins.token : null;
			const mail = invitationToken === null || mailables.has(application.email) ? ctx.mail : undefined;
			const email = { kind: 'application_approved', to: application.email, programName: program.name } as const;
			const mailed = invitationToken === null ? undefined : await mailedInvitationToken(ctx, invitationToken);
			if (mail) ctx.defer(mail({ ...email, token: mailed }));
			return { ...partner, applicationId: application.id, invitationToken, isMailed: mail !== undefined };
		}),
	);
}

function approve(
	ctx: Context,
	program: JoinedProgram,
	{ isAutomatic = false }: Approval,
	{ application, joins, shortLink }: Approved & { readonly shortLink: string },
): Statement[] {
	const { actor, id: programId, workspaceId } = program;
	const decidedBy = isAutomatic ? null : actor.userId;
	return [
		...joins.writes(shortLink, [
			ctx.db
				.update(partnerApplications)
				.set({ status: 'approved', decidedAt: ctx.now, decidedBy, partnerId: joins.partnerId })
				.where(and(eq(partnerApplications.id, application.id), eq(partnerApplications.programId, programId))),
		]),
		auditEntry(
			ctx,
			{ userId: decidedBy, address: actor.address },
			{
				workspaceId,
				programId,
				action: 'application.approve',
				subjectId: application.id,
				detail: { short_link: shortLink },
			},
		),
	];
}

function refusalOf(error: unknown, selected: readonly Application[]): Rejection | undefined {
	if (refusedWith(error, 'partner_applications: decided'))
		return conflict('The application has been decided in the meantime. Reload and try again');
	if (refusedWith(error, 'users: ended')) return conflict('The applicant has deleted their account in the meantime. Reload and try again');
	return joiningRefusal(error, selected.length === 1 ? (selected[0]?.email ?? '') : 'One of them');
}
