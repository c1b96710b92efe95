import * as z from 'zod/mini';
import { WorkspaceRequest } from '../../../http/management/accounts/workspaces.ts';
import { answerOf, Id, Text } from '../../answers.ts';
import { conflict, forbidden } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, type Operation } from '../../operation.ts';
import { underWorkspace } from '../../under.ts';

export const RoleName = z.enum(['owner', 'admin', 'member']);

export const Workspace = named(
	'Workspace',
	'What programs, partners and members belong to.',
	z.object({
		id: is(Id, 'Id of the workspace.'),
		name: is(Text, 'The name.'),
		role: is(RoleName, 'What the person may do there: owners and admins write, members read.'),
	}),
);

const BODY = bodyOf('WorkspaceRequest', 'The workspace.', WorkspaceRequest, { name: 'The name, 1 to 120 characters.' });

export const workspaces: readonly Operation[] = [
	{
		method: 'post',
		path: '/api/v1/workspaces',
		id: 'createWorkspace',
		tag: 'Workspaces',
		summary: 'Create a workspace',
		description:
			'Creates another workspace with you as its owner. `GET /api/v1/me` lists all of yours. If `SIGN_UP` is `invite`, the default of a deployment, only owners of a workspace can do this.',
		caller: 'session',
		body: BODY,
		answers: { 201: { description: 'The workspace.', schema: answerOf(Workspace, 'The new workspace.') } },
		errors: [
			forbidden('Only an owner of a workspace may create another one', '`SIGN_UP` is `invite`, and you own none.'),
			conflict('You are a member of {number} workspaces: leave one first', 'There are as many as there may be, 100.'),
		],
		examples: [{ name: 'workspace', summary: 'A second workspace', body: { name: 'Second business' } }],
	},
	...underWorkspace('', [
		{
			method: 'patch',
			atLeast: 'admin',
			id: 'renameWorkspace',
			summary: 'Rename a workspace',
			description: 'Another name.',
			body: BODY,
			answers: { 200: { description: 'It has the name.', schema: answerOf(Workspace, 'The workspace.') } },
			examples: [
				{ name: 'rename', summary: 'Another name', body: { name: 'Example shops' } },
				{ name: 'foreign', summary: 'A workspace of others', params: { id: 2 }, body: { name: 'Mine' }, status: 403 },
			],
		},
	]),
];
