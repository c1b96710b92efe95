import { beforeEach, describe, expect, test } from 'vitest';
import { DOUBLE_CLICK_MS, sendOnce, type SendOnce } from '../../src/pages/ui/send-once.ts';

let now: number;
let once: SendOnce;
beforeEach(() => {
	now = 1_000;
	once = sendOnce(DOUBLE_CLICK_MS, () => now);
});

function formWith(name: string): FormData {
	const fields = new FormData();
	fields.set('name', name);
	return fields;
}

test.each([[undefined], ['text'], [{ name: 'A' }], [7]])('%j is sent once, however often it is submitted before the answer', (input) => {
	expect([1, 2, 3].map(() => once.begin(input))).toEqual([true, false, false]);
	now += 60_000;
	expect(once.begin(input)).toBe(false);
});

test('two forms are the same if their fields are equal', () => {
	expect([formWith('A'), formWith('A'), formWith('B')].map((fields) => once.begin(fields))).toEqual([true, false, true]);
});

describe('after a success', () => {
	beforeEach(() => {
		once.begin('A');
		now += 10_000;
		once.end('A', true);
	});

	test('the second press of a double click is ignored', () => {
		now += DOUBLE_CLICK_MS - 1;
		expect(once.begin('A')).toBe(false);
	});

	test('the same input can be submitted again', () => {
		now += DOUBLE_CLICK_MS;
		expect(once.begin('A')).toBe(true);
	});

	test('other input is sent at once', () => {
		expect(once.begin('B')).toBe(true);
	});

	test('the first input can be sent right after other input', () => {
		once.begin('B');
		once.end('B', true);
		expect(once.begin('A')).toBe(true);
	});
});

test('after an error it can be retried at once, even within a double click', () => {
	once.begin('A');
	now += 1;
	once.end('A', false);
	expect(once.begin('A')).toBe(true);
});
