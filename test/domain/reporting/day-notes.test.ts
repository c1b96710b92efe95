import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayNotesOf, type NotedAction, NOTED_ACTIONS } from '../../../src/domain/reporting/day-notes.ts';

const at = (instant: string, action: NotedAction) => ({ at: Date.parse(instant), action });

test('entries of one type and day are one note, in the order of the days', () => {
	const entries = [
		at('2026-03-02T10:00:00Z', 'payout.run'),
		at('2026-03-02T09:00:00Z', 'payout.make'),
		at('2026-03-02T08:00:00Z', 'commission_rule.change'),
		at('2026-03-01T08:00:00Z', 'commission_rule.create'),
		at('2026-03-01T07:00:00Z', 'commission_rule.archive'),
	];
	expect(dayNotesOf(entries, 'UTC')).toEqual([
		{ day: '2026-03-01', type: 'rule_archived', count: 1 },
		{ day: '2026-03-01', type: 'rule_created', count: 1 },
		{ day: '2026-03-02', type: 'payouts_made', count: 2 },
		{ day: '2026-03-02', type: 'rule_changed', count: 1 },
	]);
});

test("the day is that of the program's zone", () => {
	const [note] = dayNotesOf([at('2026-03-02T03:00:00Z', 'commission_rule.change')], 'America/New_York');
	expect(note).toEqual({ day: '2026-03-01', type: 'rule_changed', count: 1 });
});

test('every entry is counted once', () => {
	const actions: readonly NotedAction[] = ['payout.run', 'payout.make', 'commission_rule.change'];
	const entries = fc.array(
		fc.record({ at: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 1, 1) }), action: fc.constantFrom(...actions) }),
	);
	fc.assert(
		fc.property(entries, (all) => {
			const notes = dayNotesOf(all, 'UTC');
			expect(notes.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
			expect(new Set(notes.map(({ day, type }) => `${day} ${type}`)).size).toBe(notes.length);
			for (const { action } of all) expect(notes.some(({ type }) => type === NOTED_ACTIONS[action])).toBe(true);
		}),
	);
});
