import * as z from 'zod/mini';
import { FormChangeRequest, MODES } from '../../../http/management/applications/application-form.ts';
import { answerOf, Id, Instant, Text } from '../../answers.ts';
import { conflict, invalid } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';

export const Terms = named(
	'ApplicationTerms',
	'What an applicant accepts.',
	z.object({
		version: is(Id, 'What applicants send as `accepted_terms_version`. Other words are another version.'),
		text: is(Text, 'The words, as they were written: plain text.'),
		since: is(Instant, 'Since when, UTC.'),
	}),
);

const Form = named(
	'ApplicationForm',
	'How a program presents itself to possible partners.',
	z.object({
		slug: is(z.nullable(Text), 'The address of the program’s page: `/p/<slug>`. Null until the form is changed for the first time.'),
		applications: is(
			z.enum(MODES),
			'`closed`: there is no page; `by_approval`: a person decides; `automatic`: whoever applies is a partner at once.',
		),
		description: is(z.nullable(Text), 'What the program is: plain text.'),
		terms: is(z.nullable(Terms), 'What applicants accept; null: nothing.'),
		group_id: is(z.nullable(Id), 'Id of the group that new partners join; null: none.'),
	}),
);

export const applicationForm = underProgram('Applications', '/application-form', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'readApplicationForm',
		summary: 'Read the form',
		description: 'The content of the program’s public page, and whether it accepts applications.',
		answers: { 200: { description: 'The form.', schema: answerOf(Form, 'The form.') } },
		examples: [{ name: 'form', summary: 'Of program 1' }],
	},
	{
		method: 'patch',
		atLeast: 'admin',
		id: 'changeApplicationForm',
		summary: 'Change the form',
		description: 'Missing fields do not change. A change of the terms creates a new version, which applicants must accept from then on.',
		body: bodyOf('ApplicationFormChange', 'At least one field to change.', FormChangeRequest, {
			slug: 'The address of the page: 3 to 63 of `a-z 0-9 -`, not beginning or ending with `-`, unique across all programs. By default derived from the program’s name.',
			applications: '`closed`, which it is at first; `by_approval` or `automatic`.',
			description: 'What the program is: plain text of up to 5,000 characters.',
			terms: 'What applicants accept: plain text of up to 20,000 characters. Null or empty: nothing.',
			group_id: 'Id of the group that new partners join; null: none.',
		}),
		answers: { 200: { description: 'The form as it is now.', schema: answerOf(Form, 'The form.') } },
		errors: [
			invalid('Send at least one field to change', 'No field was sent.'),
			invalid('group_id must be a group of this program', 'It is none, or archived.'),
			conflict('slug {slug} is taken', 'Another program has it.'),
		],
		examples: [
			{ name: 'open', summary: 'Closed again', body: { applications: 'closed' } },
			{
				name: 'terms',
				summary: 'People decide, and there are new terms',
				body: { applications: 'by_approval', description: 'Beans, roasted to order.', terms: 'No bids on our name.' },
			},
			{ name: 'taken', summary: 'Another program has the slug', body: { slug: 'second-shop' }, status: 409 },
		],
	},
]);
