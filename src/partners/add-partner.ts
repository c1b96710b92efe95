import { auditProgram } from '../accounts/audit.ts';
import { selectMailable } from '../accounts/invitation.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import { mailedInvitationToken } from '../accounts/proved-address.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { type JoiningPartner, joining, joiningRefusal } from './join-program.ts';
import { type Partner, selectPartners } from './partner.ts';
import { withShortLink } from './short-link.ts';

export interface NewPartner extends JoiningPartner {
	readonly shortLink: string | undefined;
}

export interface AddedPartner extends Partner {
	/** Null if the partner has already accepted an invitation. */
	readonly invitationToken: string | null;
	readonly isMailed: boolean;
}

/**
 * Adds a partner with a first link and an invitation. A partner whose address the workspace knows keeps their name, and a former member
 * rejoins. 409 for a member of the program, an erased partner's address or a taken short_link; 400 for a group of another program.
 */
export async function addPartner(ctx: Context, program: ManagedProgram, partner: NewPartner): Promise<AddedPartner> {
	const { partnerId, token, writes } = await joining(ctx, program, partner);
	try {
		const found = await withShortLink(ctx, partner.shortLink, (shortLink) =>
			write(
				ctx.db,
				[
					...writes(shortLink),
					auditProgram(ctx, program, { action: 'partner.add', subjectId: partnerId, detail: { short_link: shortLink } }),
				],
				{
					stored: selectPartners(ctx, program.id, { email: partner.email }),
					mailable: ctx.mail && selectMailable(ctx, program.workspaceId, partner.email),
				},
			),
		);
		const [added] = found.stored;
		if (!added) throw new Error('The partner that was just added is missing');
		ctx.links.clear();
		const isInvited = added.userId === null;
		const mail = isInvited && found.mailable[0]?.isMailable ? ctx.mail : undefined;
		if (mail) {
			const mailed = await mailedInvitationToken(ctx, token);
			ctx.defer(mail({ kind: 'partner_invitation', to: partner.email, programName: program.name, token: mailed }));
		}
		return { ...added, invitationToken: isInvited ? token : null, isMailed: mail !== undefined };
	} catch (error) {
		throw joiningRefusal(error, partner.email) ?? error;
	}
}
