import { expect, test } from 'vitest';
import { kindsOf, MAILED } from '../../../src/domain/people/mail-preference.ts';

test('who has not chosen gets all kinds, and a choice is of its kind alone', () => {
	const all = Object.fromEntries(Object.keys(MAILED).map((kind) => [kind, true]));
	expect(kindsOf({})).toEqual(all);
	expect(kindsOf({ payout_made: false, manual_review: true })).toEqual({ ...all, payout_made: false });
});

test('what was earned comes together, the rest soon', () => {
	const daily = Object.entries(MAILED).filter(([, { pace }]) => pace === 'daily');
	expect(daily.map(([kind]) => kind)).toEqual(['commission_created']);
});
