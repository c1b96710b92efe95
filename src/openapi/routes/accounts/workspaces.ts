import * as z from 'zod/mini';
import { WorkspaceRequest, type workspaces as workspaceRoutes } from '../../../http/management/accounts/workspaces.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Id, Text } from '../../answers.ts';
import { conflict, forbidden } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, type Operation } from '../../operation.ts';
import { underWorkspace } from '../../under.ts';

export const RoleName = z.enum(['owner', 'admin', 'member']);

export const Workspace = named(
	'Workspace',
	'A workspace, which has programs, partners and members.',
	z.object({
		id: is(Id, "The workspace's id."),
		name: is(Text, "The workspace's name."),
		role: is(RoleName, "The person's role: owners and admins can write, members can read."),
	}),
);

const BODY = bodyOf('WorkspaceRequest', 'The workspace.', WorkspaceRequest, { name: "The workspace's name, 1 to 120 characters." });

export const workspaces: readonly Operation[] = [
	{
		method: 'post',
		path: '/api/v1/workspaces',
		id: 'createWorkspace',
		tag: 'Workspaces',
		summary: 'Create a workspace',
		description:
			'Creates another workspace that you own. `GET /api/v1/me` lists all of yours. If `SIGN_UP` is `invite`, the default when deployed, only owners of a workspace can create one.',
		caller: 'session',
		body: BODY,
		answers: {
			201: {
				description: 'The workspace.',
				schema: answerOfRoute<typeof workspaceRoutes, '/', '$post'>()(answerOf(Workspace, 'The new workspace.')),
			},
		},
		errors: [
			forbidden('Only an owner of a workspace may create another one', '`SIGN_UP` is `invite`, and you own no workspace.'),
			conflict('You are a member of {number} workspaces: leave one first', 'You are a member of 100 workspaces, the maximum.'),
		],
		examples: [{ name: 'workspace', summary: 'A second workspace', body: { name: 'Second business' } }],
	},
	...underWorkspace('', [
		{
			method: 'patch',
			atLeast: 'admin',
			id: 'renameWorkspace',
			summary: 'Rename a workspace',
			description: 'Changes the name.',
			body: BODY,
			answers: {
				200: {
					description: 'The workspace is renamed.',
					schema: answerOfRoute<typeof workspaceRoutes, '/:id', '$patch'>()(answerOf(Workspace, 'The workspace.')),
				},
			},
			examples: [
				{ name: 'rename', summary: 'A new name', body: { name: 'Example shops' } },
				{ name: 'foreign', summary: "Someone else's workspace", params: { id: 2 }, body: { name: 'Mine' }, status: 403 },
			],
		},
	]),
];
