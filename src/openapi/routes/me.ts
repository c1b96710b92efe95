import * as z from 'zod/mini';
import { answerOf, Id, Text } from '../answers.ts';
import { is } from '../json-schema.ts';
import type { Operation } from '../operation.ts';
import { User } from './auth.ts';
import { Workspace } from './workspaces.ts';

const PartnerAccount = z.object({
	partner_id: is(Id, 'Number of the partner.'),
	name: is(Text, 'What the workspace calls the partner.'),
	workspace_id: is(Id, 'Number of the workspace.'),
	workspace_name: is(Text, 'What it is called.'),
});

export const me: readonly Operation[] = [
	{
		method: 'get',
		path: '/api/v1/me',
		id: 'readMe',
		tag: 'Accounts',
		summary: 'Who is signed in',
		description: 'The person, the workspaces they are an active member of, and where they are a partner.',
		caller: 'session',
		answers: {
			200: {
				description: 'The person.',
				schema: answerOf(
					z.object({
						user: is(User, 'The person.'),
						workspaces: is(z.array(Workspace), 'Workspaces with an active membership.'),
						partner_accounts: is(
							z.array(PartnerAccount),
							'Where the person is a partner by an accepted invitation: an equal e-mail address alone opens nothing.',
						),
					}),
					'The person and where they have a part.',
				),
			},
		},
		examples: [
			{ name: 'me', summary: 'Ada' },
			{ name: 'nobody', summary: 'Without a session', as: 'nobody', status: 401 },
		],
	},
];
