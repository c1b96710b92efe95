import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoOf } from '../../../domain/instant.ts';
import { once } from '../../../once.ts';
import type { Application } from '../../../applications/application.ts';
import { type ApprovedPartner, approveApplications } from '../../../applications/approve-applications.ts';
import { countApplications } from '../../../applications/count-applications.ts';
import { declineApplications } from '../../../applications/decline-applications.ts';
import { listApplications } from '../../../applications/list-applications.ts';
import type { AppContext, AppEnv } from '../../app-env.ts';
import { wantsCsv } from '../../csv.ts';
import { answerList } from '../../csv-list.ts';
import { FreeText, Id, Identifier, ShortLink, Strict } from '../../fields.ts';
import { PageQuery } from '../../page.ts';
import { body, noQuery, optionalBody, params, query } from '../../validate.ts';
import { invitationUrlOf } from '../accounts/invitations.ts';
import { partnerOnWire } from '../partners/partners.ts';
import { requireProgram, unlessArchived } from '../session.ts';

const STATUSES = ['open', 'approved', 'declined'] as const;

export const ApplicationQuery = once(() =>
	z.extend(PageQuery(), {
		status: z.optional(z.enum(STATUSES, `must be one of ${STATUSES.join(', ')}`)),
		search: z.optional(Identifier()),
	}),
);

const ApplicationIds = once(() =>
	z.array(Id(), 'must be a list of ids').check(z.minLength(1, 'must name at least one id'), z.maxLength(100, 'must name at most 100 ids')),
);

export const ApproveOneRequest = once(() => Strict({ group_id: z.optional(Id()), short_link: z.optional(ShortLink()) }));
export const ApproveManyRequest = once(() => Strict({ application_ids: ApplicationIds(), group_id: z.optional(Id()) }));
export const DeclineOneRequest = once(() => Strict({ reason: z.optional(FreeText(500)) }));
export const DeclineManyRequest = once(() => Strict({ application_ids: ApplicationIds(), reason: z.optional(FreeText(500)) }));

export const APPLICATION_COLUMNS =
	'application_id,status,name,email,website,message,terms_version,signed_in,email_proved,reason,partner_id,decided_by,created_at,decided_at';

/** /api/v1/programs/:id/applications */
export const applications = new Hono<AppEnv>()
	.get('/', requireProgram('member'), query(ApplicationQuery), async (c) => {
		const { ctx, program } = c.var;
		const { cursor, limit, total, ...filter } = c.req.valid('query');
		return answerList(c, {
			name: `applications-${program.id}`,
			header: APPLICATION_COLUMNS,
			isCsv: wantsCsv(c),
			page: { cursor, limit, total },
			read: (page) => listApplications(ctx, program, { ...filter, ...page }),
			onWire: applicationOnWire,
			inLine: csvRowOf,
		});
	})
	.get('/summary', requireProgram('member'), noQuery, async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: await countApplications(ctx, program) });
	})
	.post('/approve', requireProgram('admin'), unlessArchived, body(ApproveManyRequest), async (c) => {
		const { ctx, program } = c.var;
		const { application_ids: ids, group_id: groupId } = c.req.valid('json');
		const approved = await approveApplications(ctx, program, { ids, groupId });
		return c.json({ success: true, data: approved.map((partner) => approvedOnWire(c, partner)) });
	})
	.post('/decline', requireProgram('admin'), body(DeclineManyRequest), async (c) => {
		const { ctx, program } = c.var;
		const { application_ids: ids, reason } = c.req.valid('json');
		return c.json({ success: true, data: (await declineApplications(ctx, program, ids, reason)).map(applicationOnWire) });
	})
	.post(
		'/:applicationId/approve',
		requireProgram('admin'),
		unlessArchived,
		params(['applicationId']),
		optionalBody(ApproveOneRequest),
		async (c) => {
			const { ctx, program } = c.var;
			const { group_id: groupId, short_link: shortLink } = c.req.valid('json');
			const [partner] = await approveApplications(ctx, program, { ids: [c.req.valid('param').applicationId], groupId, shortLink });
			return c.json({ success: true, data: partner ? approvedOnWire(c, partner) : null });
		},
	)
	.post('/:applicationId/decline', requireProgram('admin'), params(['applicationId']), optionalBody(DeclineOneRequest), async (c) => {
		const { ctx, program } = c.var;
		const [declined] = await declineApplications(ctx, program, [c.req.valid('param').applicationId], c.req.valid('json').reason);
		return c.json({ success: true, data: declined ? applicationOnWire(declined) : null });
	});

function applicationOnWire({
	userId,
	isEmailProved,
	termsVersion,
	partnerId,
	decidedBy,
	createdAt,
	decidedAt,
	...application
}: Application) {
	return {
		...application,
		terms_version: termsVersion === 0 ? null : termsVersion,
		signed_in: userId !== null,
		email_proved: isEmailProved,
		partner_id: partnerId,
		decided_by: decidedBy,
		created_at: isoOf(createdAt),
		decided_at: isoOf(decidedAt),
	};
}

function csvRowOf(application: Application) {
	return { ...applicationOnWire(application), application_id: application.id, decided_by: application.decidedBy?.name ?? null };
}

function approvedOnWire(c: AppContext, { applicationId, invitationToken, isMailed, ...partner }: ApprovedPartner) {
	const url = invitationToken === null ? null : invitationUrlOf(c, invitationToken);
	return { application_id: applicationId, ...partnerOnWire(partner), invitation_url: url, mailed: isMailed };
}
