import { describe, expect, test } from 'vitest';
import { fillIn } from '../../scripts/demo/dev-vars.ts';
import { jsonLines } from '../../scripts/demo/terminal.ts';
import { unexpected } from '../../scripts/demo/walk.ts';

test('local secrets: each empty value of the example gets its own random value', () => {
	let next = 0;
	const random = () => `random${(next += 1)}`;
	expect(fillIn('# SECRETS: words=\nSECRETS=\nFIXED=kept\nSETUP_TOKEN=\n', random)).toBe(
		'# SECRETS: words=\nSECRETS=random1\nFIXED=kept\nSETUP_TOKEN=random2\n',
	);
});

describe('JSON for people', () => {
	test('is on one line if it fits', () => {
		expect(jsonLines({ success: true, lead_id: 1 }, 2)).toEqual(['  { "success": true, "lead_id": 1 }']);
	});

	test('never exceeds 80 columns', () => {
		const lines = jsonLines({ message: 'word '.repeat(60), list: [1, { name: 'x'.repeat(40) }] }, 5);
		expect(lines.filter((line) => line.length > 80)).toEqual([]);
		expect(lines.map((line) => line.trim()).join(' ')).toContain('"message": "word word');
	});
});

test('an answer is compared by its status and the named fields', () => {
	const answer = { status: 200, body: { success: true, commission_id: 7, message: 'Recorded' } };
	expect(unexpected(answer, { status: 200, body: { success: true, commission_id: 'a number' } })).toEqual([]);
	expect(unexpected(answer, { status: 409, body: { commission_id: null } })).toEqual([
		'expected status 409, got 200',
		'expected commission_id to be null, got 7',
	]);
});
