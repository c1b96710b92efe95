import * as z from 'zod/mini';
import { GroupRequest, MoveRequest } from '../../../http/management/partners/groups.ts';
import { PageQuery } from '../../../http/page.ts';
import { answerOf, Count, Id, Instant, nothing, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { conflict, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';

const Group = named(
	'Group',
	'Partners of a program that have rules in common.',
	z.object({
		id: is(Id, 'Id of the group.'),
		name: is(Text, 'The name.'),
		partners: is(
			z.object({ active: is(Count, 'Active ones.'), suspended: is(Count, 'Suspended ones.') }),
			'How many partners it has. Who leaves the program leaves the group.',
		),
		rules: is(Count, 'How many rules in force are for it.'),
		created_at: is(Instant, 'When it was made, UTC.'),
	}),
);

const PARAMS = { groupId: 'Id of the group.' };
const NO_GROUP = notFound('Group');
const NAME = 'What you call it, 1 to 120 characters; unique in the program in any letter case.';
const TAKEN = conflict('A group named {name} already exists', 'Another group has the name, in some letter case.');

export const groups = underProgram('Partners', '/groups', [
	{
		method: 'post',
		atLeast: 'admin',
		id: 'createGroup',
		summary: 'Add a group',
		description: 'A group without partners and rules.',
		body: bodyOf('GroupRequest', 'The group.', GroupRequest, { name: NAME }),
		answers: { 201: { description: 'The group.', schema: answerOf(Group, 'The new group.') } },
		errors: [TAKEN],
		examples: [
			{ name: 'group', summary: 'Gold', body: { name: 'Gold' } },
			{ name: 'another', summary: 'Another one', body: { name: 'Creators' } },
			{ name: 'taken', summary: 'There is one of that name', body: { name: 'GOLD' }, status: 409 },
		],
	},
	{
		method: 'get',
		atLeast: 'member',
		id: 'listGroups',
		summary: 'List groups',
		description: 'The groups of a program, with how many partners and rules they have, newest first.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: { 200: { description: 'A page of groups.', schema: pageOf(Group, 'Groups, newest first.') } },
		examples: [{ name: 'groups', summary: 'The groups of program 1' }],
	},
	{
		method: 'patch',
		path: '/:groupId',
		atLeast: 'admin',
		id: 'renameGroup',
		summary: 'Rename a group',
		description: 'Its partners and rules stay.',
		params: PARAMS,
		body: bodyOf('GroupRequest', 'The group.', GroupRequest, { name: NAME }),
		answers: { 200: { description: 'The group as it is now.', schema: answerOf(Group, 'The group.') } },
		errors: [NO_GROUP, TAKEN],
		examples: [{ name: 'rename', summary: 'Gold is called Gold partners', params: { groupId: 1 }, body: { name: 'Gold partners' } }],
	},
	{
		method: 'post',
		path: '/:groupId/partners',
		atLeast: 'admin',
		id: 'movePartners',
		summary: 'Move partners into a group',
		description: 'Out of whichever group they were in, all or none. The rules of the group count for sales to come.',
		params: PARAMS,
		body: bodyOf('MoveRequest', 'The partners.', MoveRequest, { partner_ids: 'Numbers of 1 to 500 partners.' }),
		answers: { 200: { description: 'They are in the group.', schema: nothing } },
		errors: [
			NO_GROUP,
			notFound('Partner {id}'),
			conflict('The membership of partner {id} has ended: add the partner again', 'The partner is no longer a member.'),
		],
		examples: [
			{ name: 'move', summary: 'Two partners', params: { groupId: 1 }, body: { partner_ids: [1, 2] } },
			{ name: 'ended', summary: 'Robin has left', params: { groupId: 1 }, body: { partner_ids: [1, 3] }, status: 409 },
		],
	},
	{
		method: 'delete',
		path: '/:groupId',
		atLeast: 'admin',
		id: 'archiveGroup',
		summary: 'Archive a group',
		description: 'With its rules: what they earned stays. A group with partners is kept: move them first.',
		params: PARAMS,
		answers: { 200: { description: 'The group is archived.', schema: nothing } },
		errors: [NO_GROUP, conflict('{name} has partners: move them to another group first', 'It is not empty.')],
		examples: [
			{ name: 'archive', summary: 'An empty group', params: { groupId: 2 } },
			{ name: 'partners', summary: 'A group with partners', params: { groupId: 1 }, status: 409 },
		],
	},
]);
