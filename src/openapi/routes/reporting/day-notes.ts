import * as z from 'zod/mini';
import { DayNoteQuery, type dayNotes as dayNoteRoutes } from '../../../http/management/reporting/day-notes.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { Count, Day, successful } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { MOMENT, RANGE_ERRORS } from '../partner-programs/partner-programs.ts';

const DayNote = named(
	'DayNote',
	'What somebody did on a day that may explain a change of the figures.',
	z.object({
		date: is(Day, "The day, in the program's time zone."),
		type: is(
			z.enum(['rule_created', 'rule_changed', 'rule_archived', 'payouts_made']),
			'A commission rule was created, got new terms or was archived, or payouts were made.',
		),
		count: is(Count, 'How often it happened on this day. Payouts that were made together count once.'),
	}),
);

export const dayNotes = underProgram('Reports', '/day-notes', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listDayNotes',
		summary: 'List the notes on days',
		description:
			'The days of a range on which a commission rule changed or payouts were made, in order, for the marks under a chart. Each action is searched among the newest 300 of its kind in the workspace. If the range has more, `meta.complete` is false.',
		query: fieldsOf(DayNoteQuery, {
			period: 'The last 7, 30 or 90 days, or all. Ignored if dates are sent.',
			dateFrom: `The first day. ${MOMENT} Requires \`dateTo\`.`,
			dateTo: `The last day. ${MOMENT} Requires \`dateFrom\`.`,
		}),
		answers: {
			200: {
				description: 'The notes.',
				schema: answerOfRoute<typeof dayNoteRoutes, '/', '$get'>()(
					successful({
						data: is(z.array(DayNote), 'A note for each day and type.'),
						meta: is(
							z.object({ complete: is(z.boolean(), 'Whether the notes of the whole range are listed.') }),
							'How far the search went.',
						),
					}),
				),
			},
		},
		errors: RANGE_ERRORS,
		examples: [{ name: 'month', summary: 'The last 30 days', query: { period: '30d' } }],
	},
]);
