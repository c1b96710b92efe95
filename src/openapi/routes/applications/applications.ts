import * as z from 'zod/mini';
import {
	APPLICATION_COLUMNS,
	ApplicationQuery,
	ApproveManyRequest,
	ApproveOneRequest,
	DeclineManyRequest,
	DeclineOneRequest,
} from '../../../http/management/applications/applications.ts';
import { answerOf, Count, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { ARCHIVED_ERROR, conflict, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { invitation, partner } from '../partners/partners.ts';

const Application = named(
	'Application',
	'Who would be a partner.',
	z.object({
		id: is(Id, 'Id of the application.'),
		name: is(Text, 'What the applicant is called.'),
		email: is(Text, 'E-mail address, in lower case. Unless `email_proved` is true, nobody has shown that it is theirs.'),
		website: is(z.nullable(Text), 'Where they would recommend the shop.'),
		message: is(z.nullable(Text), 'What they say of themselves.'),
		terms_version: is(z.nullable(Id), 'The terms that they accepted; null: there were none.'),
		signed_in: is(z.boolean(), 'Whether they were signed in to an account with this address. That alone does not prove the address.'),
		email_proved: is(
			z.boolean(),
			'Whether the applicant was signed in and has used a link that only an email to this address had. If it is false, approval sends an invitation.',
		),
		status: is(z.enum(['open', 'approved', 'declined']), 'The outcome.'),
		reason: is(z.nullable(Text), 'The reason for declining it, as sent to the applicant.'),
		partner_id: is(z.nullable(Id), 'Id of the partner that it made.'),
		created_at: is(Instant, 'When it arrived, UTC.'),
		decided_at: is(z.nullable(Instant), 'When it was decided, UTC.'),
		decided_by: is(
			z.nullable(z.object({ id: is(Id, 'Id of the person.'), name: is(Text, 'What they are called.') })),
			'Who decided; null: nobody yet, or it was approved automatically.',
		),
	}),
);

const Approved = named(
	'ApprovedPartner',
	'A partner created from an application, with the invitation link.',
	z.object({ application_id: is(Id, 'Id of the application.'), ...partner, ...invitation }),
);

const Counts = z.object({
	open: is(Count, 'Those that wait.'),
	approved: is(Count, 'Those whose applicants became partners.'),
	declined: is(Count, 'Those that were declined in the last 180 days.'),
});

const PARAMS = { applicationId: 'Id of the application.' };
const IDS = 'Numbers of 1 to 100 applications.';
const GROUP = 'Id of the group that they join. Left out: that of the form, if it has one.';
const REASON = 'The reason that the applicants receive, up to 500 characters.';
const UNDECIDED = [
	notFound('Application {id}'),
	conflict('Application {id} was already {status}', 'It was decided.'),
	conflict('The application has been decided in the meantime. Reload and try again', 'Someone decided at the same time.'),
];
const JOINING = [
	ARCHIVED_ERROR,
	invalid('group_id must be a group of this program', 'It is none, or archived.'),
	conflict('{email} is already a partner of this program', 'They were added since: decline it.'),
	conflict('The partner was erased. Add the person as a new partner with their own email address', 'Its address is none: decline it.'),
];

export const applications = underProgram('Applications', '/applications', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listApplications',
		summary: 'List applications',
		description:
			'Newest first. Declined ones are deleted after 180 days. With `Accept: text/csv` all that the filters leave, or a page where `limit` is sent.',
		query: fieldsOf(ApplicationQuery, {
			status: 'Only these.',
			search: 'The beginning of the name or email address, in any letter case.',
			...PAGE_FIELDS,
		}),
		answers: {
			200: { description: 'A page of applications.', schema: pageOf(Application, 'Applications, newest first.'), csv: APPLICATION_COLUMNS },
		},
		examples: [
			{ name: 'open', summary: 'Those that wait', query: { status: 'open' } },
			{ name: 'csv', summary: 'As CSV', headers: { Accept: 'text/csv' } },
		],
	},
	{
		method: 'get',
		path: '/summary',
		atLeast: 'member',
		id: 'countApplications',
		summary: 'Count applications',
		description: 'How many there are in each state, each counted up to 1,000. Declined ones count until they are deleted.',
		answers: { 200: { description: 'The counts.', schema: answerOf(Counts, 'By state.') } },
		examples: [{ name: 'all', summary: 'Of the whole program' }],
	},
	{
		method: 'post',
		path: '/approve',
		atLeast: 'admin',
		id: 'approveApplications',
		summary: 'Approve applications',
		description:
			'Approves all or none. Each approval creates a partner with a link and an invitation. The invitation is emailed if email is on; otherwise hand out `invitation_url` yourself. A partner account that someone else has accepted is never given to the applicant.',
		body: bodyOf('ApproveManyRequest', 'The applications.', ApproveManyRequest, { application_ids: IDS, group_id: GROUP }),
		answers: { 200: { description: 'The partners.', schema: answerOf(z.array(Approved), 'The new partners.') } },
		errors: [...UNDECIDED, ...JOINING],
		examples: [{ name: 'approve', summary: 'Two at once', body: { application_ids: [1, 2] } }],
	},
	{
		method: 'post',
		path: '/decline',
		atLeast: 'admin',
		id: 'declineApplications',
		summary: 'Decline applications',
		description: 'Declines all or none. Applicants are notified if email is on, and can apply again after 30 days.',
		body: bodyOf('DeclineManyRequest', 'The applications.', DeclineManyRequest, { application_ids: IDS, reason: REASON }),
		answers: { 200: { description: 'They are declined.', schema: answerOf(z.array(Application), 'The applications as they are now.') } },
		errors: UNDECIDED,
		examples: [{ name: 'decline', summary: 'One with a reason', body: { application_ids: [3], reason: 'Not in your country yet.' } }],
	},
	{
		method: 'post',
		path: '/:applicationId/approve',
		atLeast: 'admin',
		id: 'approveApplication',
		summary: 'Approve an application',
		description: 'The same of one, with a short_link of your choice.',
		params: PARAMS,
		body: {
			...bodyOf('ApproveOneRequest', 'How they join.', ApproveOneRequest, {
				group_id: GROUP,
				short_link: 'The value of `aff` of the first link: 1 to 64 of `A-Z a-z 0-9 _ -`. Made up when left out.',
			}),
			isOptional: true,
		},
		answers: { 200: { description: 'The partner.', schema: answerOf(z.nullable(Approved), 'The new partner.') } },
		errors: [...UNDECIDED, ...JOINING, conflict('short_link {short_link} is taken', 'Another link has it.')],
		examples: [
			{ name: 'approve', summary: 'With a short_link', params: { applicationId: 4 }, body: { short_link: 'dana', group_id: 1 } },
			{ name: 'again', summary: 'It was approved', params: { applicationId: 4 }, status: 409 },
		],
	},
	{
		method: 'post',
		path: '/:applicationId/decline',
		atLeast: 'admin',
		id: 'declineApplication',
		summary: 'Decline an application',
		description: 'The same of one.',
		params: PARAMS,
		body: { ...bodyOf('DeclineOneRequest', 'Why.', DeclineOneRequest, { reason: REASON }), isOptional: true },
		answers: { 200: { description: 'It is declined.', schema: answerOf(z.nullable(Application), 'The application as it is now.') } },
		errors: UNDECIDED,
		examples: [{ name: 'decline', summary: 'With a reason', params: { applicationId: 5 }, body: { reason: 'Not in your country yet.' } }],
	},
]);
