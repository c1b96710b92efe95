import * as z from 'zod/mini';
import type { domain as domainRoutes } from '../../../http/management/programs/domain.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Instant, Text } from '../../answers.ts';
import { conflict } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { underProgram } from '../../under.ts';

const ProgramDomain = named(
	'ProgramDomain',
	"A program's domain and how to verify it.",
	z.object({
		domain: is(z.nullable(Text), "The program's domain."),
		verification_required: is(
			z.boolean(),
			'Whether links and cookies work on the domain only after verification. True if sign-up is open to anyone.',
		),
		verified_at: is(z.nullable(Instant), 'When it was verified, UTC; null if it is not verified.'),
		file: is(
			z.nullable(z.object({ url: is(Text, 'URL of the file.'), content: is(Text, 'The line the file must contain.') })),
			'Verification by file; null without a public domain.',
		),
		dns: is(
			z.nullable(
				z.object({
					name: is(Text, "The record's name."),
					type: is(z.literal('TXT'), "The record's type."),
					value: is(Text, "The record's value. Other records may exist as well."),
				}),
			),
			'Verification by DNS; null without a public domain.',
		),
	}),
);

const ANSWER = answerOf(ProgramDomain, "The program's domain.");

const WHY =
	'If sign-up is open to anyone, links and cookies work on a domain only after verification, because someone could enter a domain that is not theirs.';

export const domain = underProgram('Programs', '/domain', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'readProgramDomain',
		summary: 'Read how a domain is verified',
		description: `How to verify the program's domain by file or DNS. ${WHY}`,
		answers: { 200: { description: 'The domain.', schema: answerOfRoute<typeof domainRoutes, '/', '$get'>()(ANSWER) } },
		examples: [{ name: 'domain', summary: 'The domain of program 1' }],
	},
	{
		method: 'post',
		path: '/verify',
		atLeast: 'admin',
		id: 'verifyProgramDomain',
		summary: 'Verify the domain',
		description:
			'Looks for the proof in the file and in DNS, over HTTPS; either is enough. A redirect from the URL of the file is followed only to the same path on the domain, with or without `www.`. If the domain changes, it must be verified again. At most 10 times a minute per domain.',
		answers: { 200: { description: 'The domain.', schema: answerOfRoute<typeof domainRoutes, '/verify', '$post'>()(ANSWER) } },
		errors: [
			conflict('The program has no domain: set one with PATCH /api/v1/programs/<id>', 'No domain is set.'),
			conflict('The domain is not public, so it cannot be verified', 'It is an IP address or a private network name.'),
			conflict(
				'Neither {file} nor a TXT record of {name} contains the line {proof}. DNS changes can take a while',
				'The proof is missing or was not received within five seconds.',
			),
			conflict('The domain has changed: verify the new one', 'Another domain was set during the check.'),
		],
		examples: [
			{ name: 'verified', summary: 'The file has the proof' },
			{ name: 'not_there', summary: 'The proof is missing', params: { id: 2 }, status: 409 },
		],
	},
]);
