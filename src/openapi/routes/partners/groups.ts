import * as z from 'zod/mini';
import { GroupRequest, MoveRequest, type groups as groupRoutes } from '../../../http/management/partners/groups.ts';
import { PageQuery } from '../../../http/page.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Count, Id, Instant, nothing, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { conflict, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';

const Group = named(
	'Group',
	'Partners of a program that share rules.',
	z.object({
		id: is(Id, "The group's id."),
		name: is(Text, "The group's name."),
		partners: is(
			z.object({ active: is(Count, 'Active partners.'), suspended: is(Count, 'Suspended partners.') }),
			'Number of partners. A partner who leaves the program leaves the group.',
		),
		rules: is(Count, 'Number of current rules for the group.'),
		created_at: is(Instant, 'When it was created, UTC.'),
	}),
);

const PARAMS = { groupId: "The group's id." };
const NO_GROUP = notFound('Group');
const NAME = "The group's name, 1 to 120 characters; unique in the program, ignoring letter case.";
const TAKEN = conflict('A group named {name} already exists', 'Another group has this name, ignoring letter case.');

export const groups = underProgram('Partners', '/groups', [
	{
		method: 'post',
		atLeast: 'admin',
		id: 'createGroup',
		summary: 'Add a group',
		description: 'Creates a group without partners or rules.',
		body: bodyOf('GroupRequest', 'The group.', GroupRequest, { name: NAME }),
		answers: {
			201: { description: 'The group.', schema: answerOfRoute<typeof groupRoutes, '/', '$post'>()(answerOf(Group, 'The new group.')) },
		},
		errors: [TAKEN],
		examples: [
			{ name: 'group', summary: 'Gold', body: { name: 'Gold' } },
			{ name: 'another', summary: 'Another group', body: { name: 'Creators' } },
			{ name: 'taken', summary: 'The name is taken', body: { name: 'GOLD' }, status: 409 },
		],
	},
	{
		method: 'get',
		atLeast: 'member',
		id: 'listGroups',
		summary: 'List groups',
		description: 'The groups of a program with the number of their partners and rules, newest first.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'A page of groups.',
				schema: answerOfRoute<typeof groupRoutes, '/', '$get'>()(pageOf(Group, 'Groups, newest first.')),
			},
		},
		examples: [{ name: 'groups', summary: 'The groups of program 1' }],
	},
	{
		method: 'patch',
		path: '/:groupId',
		atLeast: 'admin',
		id: 'renameGroup',
		summary: 'Rename a group',
		description: 'The group keeps its partners and rules.',
		params: PARAMS,
		body: bodyOf('GroupRequest', 'The group.', GroupRequest, { name: NAME }),
		answers: {
			200: {
				description: 'The updated group.',
				schema: answerOfRoute<typeof groupRoutes, '/:groupId', '$patch'>()(answerOf(Group, 'The group.')),
			},
		},
		errors: [NO_GROUP, TAKEN],
		examples: [{ name: 'rename', summary: 'Rename Gold to Gold partners', params: { groupId: 1 }, body: { name: 'Gold partners' } }],
	},
	{
		method: 'post',
		path: '/:groupId/partners',
		atLeast: 'admin',
		id: 'movePartners',
		summary: 'Move partners into a group',
		description: "Moves all partners or none; each leaves its earlier group. The group's rules apply to future sales.",
		params: PARAMS,
		body: bodyOf('MoveRequest', 'The partners.', MoveRequest, { partner_ids: 'Ids of 1 to 500 partners.' }),
		answers: {
			200: {
				description: 'The partners are in the group.',
				schema: answerOfRoute<typeof groupRoutes, '/:groupId/partners', '$post'>()(nothing),
			},
		},
		errors: [
			NO_GROUP,
			notFound('Partner {id}'),
			conflict('The membership of partner {id} has ended: add the partner again', "The partner's membership has ended."),
		],
		examples: [
			{ name: 'move', summary: 'Two partners', params: { groupId: 1 }, body: { partner_ids: [1, 2] } },
			{ name: 'ended', summary: 'Robin has left', params: { groupId: 1 }, body: { partner_ids: [1, 3] }, status: 409 },
		],
	},
	{
		method: 'post',
		path: '/none/partners',
		atLeast: 'admin',
		id: 'ungroupPartners',
		summary: 'Take partners out of their groups',
		description: "Takes all partners or none out of their groups, whatever these are. The program's default rules apply to future sales.",
		body: bodyOf('MoveRequest', 'The partners.', MoveRequest, { partner_ids: 'Ids of 1 to 500 partners.' }),
		answers: {
			200: {
				description: 'The partners are in no group.',
				schema: answerOfRoute<typeof groupRoutes, '/none/partners', '$post'>()(nothing),
			},
		},
		errors: [
			notFound('Partner {id}'),
			conflict('The membership of partner {id} has ended: add the partner again', "The partner's membership has ended."),
		],
		examples: [{ name: 'ungroup', summary: 'One partner', body: { partner_ids: [2] } }],
	},
	{
		method: 'delete',
		path: '/:groupId',
		atLeast: 'admin',
		id: 'archiveGroup',
		summary: 'Archive a group',
		description: 'Archives the group and its rules; existing commissions stay. A group with partners cannot be archived: move them first.',
		params: PARAMS,
		answers: {
			200: { description: 'The group is archived.', schema: answerOfRoute<typeof groupRoutes, '/:groupId', '$delete'>()(nothing) },
		},
		errors: [NO_GROUP, conflict('{name} has partners: move them to another group first', 'The group has partners.')],
		examples: [
			{ name: 'archive', summary: 'An empty group', params: { groupId: 2 } },
			{ name: 'partners', summary: 'A group with partners', params: { groupId: 1 }, status: 409 },
		],
	},
]);
