import { dayOf } from '../calendar.ts';

// What somebody changed on a day, so that a chart can say why its figures moved (decision 70).

/** What a note says, by the action in the audit log. */
export const NOTED_ACTIONS = {
	'commission_rule.archive': 'rule_archived',
	'commission_rule.change': 'rule_changed',
	'commission_rule.create': 'rule_created',
	'payout.make': 'payouts_made',
	'payout.run': 'payouts_made',
} as const;

export type NotedAction = keyof typeof NOTED_ACTIONS;
export type NoteType = (typeof NOTED_ACTIONS)[NotedAction];

export interface DayNote {
	readonly day: string;
	readonly type: NoteType;
	/** How often it happened on this day. */
	readonly count: number;
}

export interface NotedEntry {
	readonly at: number;
	readonly action: NotedAction;
}

/** A note for each day and type, in the order of the days. */
export function dayNotesOf(entries: readonly NotedEntry[], timeZone: string): DayNote[] {
	const notes = entries.map(({ at, action }) => ({ day: dayOf(at, timeZone), type: NOTED_ACTIONS[action] }));
	return [...Map.groupBy(notes, ({ day, type }) => `${day} ${type}`)]
		.toSorted(([a], [b]) => (a < b ? -1 : 1))
		.flatMap(([, [note, ...more]]) => (note ? [{ ...note, count: 1 + more.length }] : []));
}
