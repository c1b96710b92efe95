import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readGuide } from '../../scripts/docs/guides.ts';
import { STRIPE_EVENT_TYPES } from '../../src/processor/stripe/read-event.ts';
import { ROOT } from '../../testing/root.ts';

function read(file: string): string {
	return readFileSync(join(ROOT, file), 'utf8');
}

test('the README is short, and details are in the guides', () => {
	expect(read('README.md').split('\n').length).toBeLessThanOrEqual(167);
});

// Interactive zsh, the default on a Mac, does not recognize comments: it passes them to the command or runs them.
test('no command to paste has a comment', () => {
	const commands = Array.from(read('README.md').matchAll(/^ *```sh\n([^]*?)^ *```$/gm), ([, block = '']) => block);
	expect(commands.length).toBeGreaterThan(5);
	expect(commands.join('').match(/^.*(?:^|\s)#.*$/gm) ?? []).toEqual([]);
});

test('the docs and the CI script require the Node version of package.json, and CONTRIBUTING.md names the installed one', () => {
	const { engines, devDependencies }: Record<'devDependencies' | 'engines', { node: string }> = JSON.parse(read('package.json'));
	expect(engines.node).toMatch(/^>=\d+$/);
	const least = engines.node.slice(2);
	for (const file of ['README.md', 'docs/guides/quick-start.md', '.ci/run']) expect(read(file), file).toContain(`Node ${least} or later`);
	expect(read('CONTRIBUTING.md')).toContain(`a machine with Node ${least} will do`);
	const [own = ''] = devDependencies.node.split('.');
	expect(read('CONTRIBUTING.md')).toContain(`puts Node ${own} into`);
});

test('the Stripe guide explains every event to select, and no other', () => {
	const table = /^\| Select \|[^]+?\n\n/m.exec(readGuide('stripe').markdown)?.[0] ?? '';
	const told = table.split('\n').flatMap((row) => {
		let previous = '';
		return Array.from((row.split(' | ')[0] ?? '').matchAll(/`([.\w]+)`/g), ([, name = '']) => {
			previous = name.startsWith('.') ? previous.replace(/\.\w+$/, name) : name;
			return previous;
		});
	});
	expect([...new Set(told)].toSorted()).toEqual(STRIPE_EVENT_TYPES.toSorted());
});
