import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api.ts';
import { plural } from '../../format.ts';
import { rangeQuery } from '../../ui/range.ts';
import type { ReportRequest } from './report.ts';

export type DayNote = Awaited<ReturnType<typeof readDayNotes>>[number];

/** Filter and comparison of the report make no difference. */
export function dayNotesQuery({ programId, range, zone }: ReportRequest) {
	return queryOptions({
		queryKey: ['day-notes', programId, range, zone],
		queryFn: ({ signal }) => readDayNotes({ programId, range, zone }, signal),
	});
}

async function readDayNotes({ programId, range, zone }: Pick<ReportRequest, 'programId' | 'range' | 'zone'>, signal: AbortSignal) {
	const notes = api.v1.programs[':id']['day-notes'];
	const { data } = await answerOf(notes.$get({ param: { id: programId }, query: rangeQuery(range, zone) }, { init: { signal } }));
	return data;
}

export function noteText({ type, count }: Pick<DayNote, 'type' | 'count'>): string {
	switch (type) {
		case 'rule_created':
			return rules(count, 'created');
		case 'rule_changed':
			return rules(count, 'changed');
		case 'rule_archived':
			return rules(count, 'archived');
		case 'payouts_made':
			return 'Payouts made';
	}
}

/** One rule may have changed several times. */
function rules(count: number, change: string): string {
	return count === 1 ? `Commission rule ${change}` : `Commission rules ${change} ${plural(count, 'time')}`;
}
