import * as z from 'zod/mini';
import {
	APPLICATION_COLUMNS,
	ApplicationQuery,
	ApproveManyRequest,
	ApproveOneRequest,
	DeclineManyRequest,
	DeclineOneRequest,
	type applications as applicationRoutes,
} from '../../../http/management/applications/applications.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Count, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { ARCHIVED_ERROR, conflict, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { invitation, partner } from '../partners/partner-fields.ts';

const Application = named(
	'Application',
	'An application to become a partner.',
	z.object({
		id: is(Id, "The application's id."),
		name: is(Text, "The applicant's name."),
		email: is(Text, 'Email address, in lower case. Not proved to be theirs unless `email_proved` is true.'),
		website: is(z.nullable(Text), 'Where they would promote the shop.'),
		message: is(z.nullable(Text), 'What they say about themselves.'),
		terms_version: is(z.nullable(Id), 'The version of the terms that they accepted; null if there were none.'),
		signed_in: is(z.boolean(), 'Whether they were signed in to an account with this address. That alone does not prove the address.'),
		email_proved: is(
			z.boolean(),
			'Whether they were signed in and have used a link that was sent only to this email address. If false, approval sends an invitation.',
		),
		status: is(z.enum(['open', 'approved', 'declined']), 'The status.'),
		reason: is(z.nullable(Text), 'Why it was declined, as sent to the applicant.'),
		partner_id: is(z.nullable(Id), 'The id of the partner that it created.'),
		created_at: is(Instant, 'When it was submitted, in UTC.'),
		decided_at: is(z.nullable(Instant), 'When it was decided, in UTC.'),
		decided_by: is(
			z.nullable(z.object({ id: is(Id, "The person's id."), name: is(Text, "The person's name.") })),
			'The person who decided; null if it is open or was approved automatically.',
		),
	}),
);

const Approved = named(
	'ApprovedPartner',
	'A partner created from an application, with the invitation link.',
	z.object({ application_id: is(Id, "The application's id."), ...partner, ...invitation }),
);

const Counts = z.object({
	open: is(Count, 'Open applications.'),
	approved: is(Count, 'Applications whose applicants became partners.'),
	declined: is(Count, 'Applications declined in the last 180 days.'),
});

const PARAMS = { applicationId: "The application's id." };
const IDS = 'The ids of 1 to 100 applications.';
const GROUP = "The id of the group that they join. If omitted, the form's group, if it has one.";
const REASON = 'The reason sent to the applicants, up to 500 characters.';
const UNDECIDED = [
	notFound('Application {id}'),
	conflict('Application {id} was already {status}', 'It has been decided.'),
	conflict('The application has been decided in the meantime. Reload and try again', 'Someone decided at the same time.'),
];
const JOINING = [
	ARCHIVED_ERROR,
	invalid('group_id must be a group of this program', 'It does not exist in this program, or is archived.'),
	conflict('{email} is already a partner of this program', 'They have been added since. Decline the application.'),
	conflict(
		'The partner was erased. Add the person as a new partner with their own email address',
		'The address is the placeholder of an erased partner. Decline the application.',
	),
];

export const applications = underProgram('Applications', '/applications', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listApplications',
		summary: 'List applications',
		description:
			'Newest first. Declined ones are deleted after 180 days. `Accept: text/csv` returns all matches as CSV, or a page if `limit` is sent.',
		query: fieldsOf(ApplicationQuery, {
			status: 'Only applications with this status.',
			search: 'The beginning of the name or email address, in any letter case.',
			...PAGE_FIELDS,
		}),
		answers: {
			200: {
				description: 'A page of applications.',
				schema: answerOfRoute<typeof applicationRoutes, '/', '$get'>()(pageOf(Application, 'Applications, newest first.')),
				csv: APPLICATION_COLUMNS,
			},
		},
		examples: [
			{ name: 'open', summary: 'Open applications', query: { status: 'open' } },
			{ name: 'csv', summary: 'As CSV', headers: { Accept: 'text/csv' } },
		],
	},
	{
		method: 'get',
		path: '/summary',
		atLeast: 'member',
		id: 'countApplications',
		summary: 'Count applications',
		description: 'The number of applications by status, each counted up to 1,000. Declined ones count until they are deleted.',
		answers: {
			200: {
				description: 'The counts.',
				schema: answerOfRoute<typeof applicationRoutes, '/summary', '$get'>()(answerOf(Counts, 'By status.')),
			},
		},
		examples: [{ name: 'all', summary: 'The whole program' }],
	},
	{
		method: 'post',
		path: '/approve',
		atLeast: 'admin',
		id: 'approveApplications',
		summary: 'Approve applications',
		description:
			'All or none. Each creates a partner with a link and an invitation, which is emailed if email is on; otherwise send `invitation_url` yourself. A partner account that someone else has accepted is never given to the applicant.',
		body: bodyOf('ApproveManyRequest', 'The applications.', ApproveManyRequest, { application_ids: IDS, group_id: GROUP }),
		answers: {
			200: {
				description: 'The partners.',
				schema: answerOfRoute<typeof applicationRoutes, '/approve', '$post'>()(answerOf(z.array(Approved), 'The new partners.')),
			},
		},
		errors: [...UNDECIDED, ...JOINING],
		examples: [{ name: 'approve', summary: 'Two at once', body: { application_ids: [1, 2] } }],
	},
	{
		method: 'post',
		path: '/decline',
		atLeast: 'admin',
		id: 'declineApplications',
		summary: 'Decline applications',
		description: 'All or none. Applicants are notified if email is on, and can apply again after 30 days.',
		body: bodyOf('DeclineManyRequest', 'The applications.', DeclineManyRequest, { application_ids: IDS, reason: REASON }),
		answers: {
			200: {
				description: 'They are declined.',
				schema: answerOfRoute<typeof applicationRoutes, '/decline', '$post'>()(
					answerOf(z.array(Application), 'The declined applications.'),
				),
			},
		},
		errors: UNDECIDED,
		examples: [{ name: 'decline', summary: 'With a reason', body: { application_ids: [3], reason: 'Not in your country yet.' } }],
	},
	{
		method: 'post',
		path: '/:applicationId/approve',
		atLeast: 'admin',
		id: 'approveApplication',
		summary: 'Approve an application',
		description: 'Approves one application, with a short_link of your choice.',
		params: PARAMS,
		body: {
			...bodyOf('ApproveOneRequest', 'How they join.', ApproveOneRequest, {
				group_id: GROUP,
				short_link: 'The `aff` value of the first link: 1 to 64 of `A-Z a-z 0-9 _ -`. Generated if omitted.',
			}),
			isOptional: true,
		},
		answers: {
			200: {
				description: 'The partner.',
				schema: answerOfRoute<typeof applicationRoutes, '/:applicationId/approve', '$post'>()(
					answerOf(z.nullable(Approved), 'The new partner.'),
				),
			},
		},
		errors: [...UNDECIDED, ...JOINING, conflict('short_link {short_link} is taken', 'Another link uses it.')],
		examples: [
			{ name: 'approve', summary: 'With a short_link', params: { applicationId: 4 }, body: { short_link: 'dana', group_id: 1 } },
			{ name: 'again', summary: 'Already approved', params: { applicationId: 4 }, status: 409 },
		],
	},
	{
		method: 'post',
		path: '/:applicationId/decline',
		atLeast: 'admin',
		id: 'declineApplication',
		summary: 'Decline an application',
		description: 'Declines one application.',
		params: PARAMS,
		body: { ...bodyOf('DeclineOneRequest', 'The reason.', DeclineOneRequest, { reason: REASON }), isOptional: true },
		answers: {
			200: {
				description: 'It is declined.',
				schema: answerOfRoute<typeof applicationRoutes, '/:applicationId/decline', '$post'>()(
					answerOf(z.nullable(Application), 'The declined application.'),
				),
			},
		},
		errors: UNDECIDED,
		examples: [{ name: 'decline', summary: 'With a reason', params: { applicationId: 5 }, body: { reason: 'Not in your country yet.' } }],
	},
]);
