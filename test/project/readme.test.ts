import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// An interactive zsh, which is what a Mac opens, knows no comments: it hands them to the command, or runs them.
test('no command to paste has a comment', () => {
	const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
	const commands = Array.from(readme.matchAll(/^ *```sh\n([^]*?)^ *```$/gm), ([, block = '']) => block);
	expect(commands.length).toBeGreaterThan(10);
	expect(commands.join('').match(/^.*(?:^|\s)#.*$/gm) ?? []).toEqual([]);
});
