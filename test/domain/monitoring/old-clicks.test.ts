import { expect, test } from 'vitest';
import { oldClicksOf, oldClicksText } from '../../../src/domain/monitoring/old-clicks.ts';

test('old clicks are 420 bytes each, and the program with the most comes first', () => {
	const found = oldClicksOf([
		{ name: 'Tea', clicks: 2_000_000 },
		{ name: 'Cups', clicks: 5_000_000 },
		{ name: 'New', clicks: 0 },
	]);
	expect(found).toEqual({ bytes: 2.94e9, programs: ['Cups', 'Tea'] });
	expect(oldClicksText(found)).toBe(
		'Clicks older than 90 days take about 2.94 GB in these programs: Cups, Tea. Keep their clicks for a limited time. ',
	);
});

test('a few old clicks are not worth a sentence', () => {
	expect([oldClicksText(undefined), oldClicksText(oldClicksOf([{ name: 'Tea', clicks: 2_000 }]))]).toEqual(['', '']);
});
