import * as z from 'zod/mini';
import { answerOf, Instant, Text } from '../../answers.ts';
import { conflict } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { underProgram } from '../../under.ts';

const ProgramDomain = named(
	'ProgramDomain',
	'A domain, and what proves that it is its program’s.',
	z.object({
		domain: is(z.nullable(Text), 'The domain of the program.'),
		verification_required: is(
			z.boolean(),
			'Whether links and cookies work on the domain only once it is verified: where strangers may sign up.',
		),
		verified_at: is(z.nullable(Instant), 'When it was verified, UTC; null if it was not.'),
		file: is(
			z.nullable(z.object({ url: is(Text, 'Where a file is looked for.'), content: is(Text, 'The line that it has to hold.') })),
			'One way to prove it; null without a public domain.',
		),
		dns: is(
			z.nullable(
				z.object({
					name: is(Text, 'Name of the record.'),
					type: is(z.literal('TXT'), 'Its type.'),
					value: is(Text, 'Its value; others may stand beside it.'),
				}),
			),
			'The other way; null without a public domain.',
		),
	}),
);

const answers = { 200: { description: 'The domain.', schema: answerOf(ProgramDomain, 'The domain of the program.') } };

const WHY =
	'Where strangers may sign up, someone could name a domain of others. There a domain counts only once it is verified: until then no link is followed on it, and no cookie is set for it.';

export const domain = underProgram('Programs', '/domain', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'readProgramDomain',
		summary: 'Read how a domain is verified',
		description: `What to put where, so that the domain counts as the program's. ${WHY}`,
		answers,
		examples: [{ name: 'domain', summary: 'The domain of program 1' }],
	},
	{
		method: 'post',
		path: '/verify',
		atLeast: 'admin',
		id: 'verifyProgramDomain',
		summary: 'Verify the domain',
		description:
			'Looks for the proof in the file and in DNS, over HTTPS; one of them is enough. A redirect of the file is followed to the same path on the domain with or without `www.`, and nowhere else. Another domain of the program has to be verified anew. At most 10 times a minute for a domain.',
		answers,
		errors: [
			conflict('The program has no domain: set one with PATCH /api/v1/programs/<id>', 'There is nothing to verify.'),
			conflict('The domain is not public, so it cannot be verified', 'It is an address, or a name of a private network.'),
			conflict(
				'Neither {file} nor a TXT record of {name} contains the line {proof}. DNS changes can take a while',
				'The proof is not there, or did not come within five seconds.',
			),
			conflict('The domain has changed: verify the new one', 'Another domain was set while this one was looked at.'),
		],
		examples: [
			{ name: 'verified', summary: 'The file is there' },
			{ name: 'not_there', summary: 'Nothing is there', params: { id: 2 }, status: 409 },
		],
	},
]);
