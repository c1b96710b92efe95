import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { emailLine } from '../../scripts/demo/email-lines.ts';

const folder = mkdtempSync(join(tmpdir(), 'letters-'));
afterAll(() => rmSync(folder, { recursive: true }));

const shown = (line: string) => {
	const read = emailLine(line);
	return read === undefined ? undefined : stripVTControlCharacters(read);
};

test('an email is shown with its text instead of its file', () => {
	mkdirSync(join(folder, 'email-text'));
	const file = join(folder, 'email-text', 'a@tracker.example.txt');
	writeFileSync(file, 'Hello Ada,\n\na link\n');
	expect(shown('Subject: Reset your password')).toBe('  | Subject: Reset your password');
	expect(shown(`Text: ${file}`)).toBe('  | Hello Ada,\n  | \n  | a link');
	expect(shown(`Text: ${file}.txt`)).toBe(`Text: ${file}.txt`);
});

test('other lines are not part of an email', () => {
	for (const line of ['', 'Ready', '{"level":"info","event":"x"}', 'Text: hello', 'Text: /etc/passwd']) expect(shown(line)).toBeUndefined();
});
