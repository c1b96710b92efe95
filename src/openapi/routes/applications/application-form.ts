import * as z from 'zod/mini';
import {
	FormChangeRequest,
	MODES,
	type applicationForm as applicationFormRoutes,
} from '../../../http/management/applications/application-form.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Id, Instant, Text } from '../../answers.ts';
import { conflict, invalid } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';

export const Terms = named(
	'ApplicationTerms',
	'The terms that an applicant accepts.',
	z.object({
		version: is(Id, 'The version, which applicants send as `accepted_terms_version`. A changed text is a new version.'),
		text: is(Text, 'The text as entered, in plain text.'),
		since: is(Instant, 'When the version was created, in UTC.'),
	}),
);

const Form = named(
	'ApplicationForm',
	"A program's public page for applicants.",
	z.object({
		slug: is(z.nullable(Text), 'The path of the page: `/p/<slug>`. Null until the form is first changed.'),
		applications: is(
			z.enum(MODES),
			'`closed`: there is no page; `by_approval`: a person decides; `automatic`: applicants become partners at once.',
		),
		description: is(z.nullable(Text), "The program's description, in plain text."),
		terms: is(z.nullable(Terms), 'The terms that applicants accept; null if none.'),
		group_id: is(z.nullable(Id), 'The id of the group that new partners join; null if none.'),
	}),
);

export const applicationForm = underProgram('Applications', '/application-form', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'readApplicationForm',
		summary: 'Read the application form',
		description: 'The content of the public page, and whether it accepts applications.',
		answers: {
			200: { description: 'The form.', schema: answerOfRoute<typeof applicationFormRoutes, '/', '$get'>()(answerOf(Form, 'The form.')) },
		},
		examples: [{ name: 'form', summary: 'Program 1' }],
	},
	{
		method: 'patch',
		atLeast: 'admin',
		id: 'changeApplicationForm',
		summary: 'Change the application form',
		description: 'Omitted fields stay unchanged. Changed terms are a new version, which applicants must accept from then on.',
		body: bodyOf('ApplicationFormChange', 'The changes: at least one field.', FormChangeRequest, {
			slug: "The path of the page: 3 to 63 of `a-z 0-9 -`, without `-` at its ends, unique across all programs. Made from the program's name if never set.",
			applications: '`closed` (the default), `by_approval` or `automatic`.',
			description: "The program's description, in plain text of up to 5,000 characters.",
			terms: 'The terms that applicants accept, in plain text of up to 20,000 characters. Null or empty for none.',
			group_id: 'The id of the group that new partners join; null if none.',
		}),
		answers: {
			200: {
				description: 'The changed form.',
				schema: answerOfRoute<typeof applicationFormRoutes, '/', '$patch'>()(answerOf(Form, 'The form.')),
			},
		},
		errors: [
			invalid('Send at least one field to change', 'No field was sent.'),
			invalid('group_id must be a group of this program', 'It does not exist in this program, or is archived.'),
			conflict('slug {slug} is taken', 'Another program uses it.'),
		],
		examples: [
			{ name: 'open', summary: 'Closed again', body: { applications: 'closed' } },
			{
				name: 'terms',
				summary: 'Approval by a person, with new terms',
				body: { applications: 'by_approval', description: 'Beans, roasted to order.', terms: 'No bids on our name.' },
			},
			{ name: 'taken', summary: 'Another program uses the slug', body: { slug: 'second-shop' }, status: 409 },
		],
	},
]);
