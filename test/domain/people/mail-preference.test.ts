import { expect, test } from 'vitest';
import { kindsOf, MAILED } from '../../../src/domain/people/mail-preference.ts';

test('without a choice all kinds are sent; a choice affects only its kind', () => {
	const all = Object.fromEntries(Object.keys(MAILED).map((kind) => [kind, true]));
	expect(kindsOf({})).toEqual(all);
	expect(kindsOf({ payout_made: false, manual_review: true })).toEqual({ ...all, payout_made: false });
});

test('earnings are sent as a summary, other kinds soon', () => {
	const daily = Object.entries(MAILED).filter(([, { pace }]) => pace === 'daily');
	expect(daily.map(([kind]) => kind)).toEqual(['commission_created']);
});
