import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOptions } from '../../scripts/deploy/options.ts';
import { ROOT } from '../../testing/root.ts';

// No other test covers .github/workflows/deploy.yml.

const workflow = readFileSync(join(ROOT, '.github/workflows/deploy.yml'), 'utf8');
const command = /npm run deploy -- ([^\n]+\n[^\n]+)/.exec(workflow)?.[1] ?? '';
const given = [...workflow.matchAll(/^ {10}([A-Z_]+): \$\{\{ (?:secrets|vars)\.([A-Z_]+) \}\}$/gm)];

test('each variable of its command is passed on under its own name', () => {
	const names = given.map(([, name]) => name);
	expect(given.map(([, , from]) => from)).toEqual(names);
	const asked = [...command.matchAll(/"\$([A-Z_]+)"/g)].map(([, name]) => name);
	expect(asked).toHaveLength(9);
	expect(names).toEqual(expect.arrayContaining(asked));
});

test('its options are known, and unset variables count as not given', () => {
	const args = command.split(/\s+/).filter((word) => word !== '');
	const unset = args.map((word) => (word.startsWith('"$') ? '' : word));
	expect(readOptions(unset, {})).toMatchObject({ given: {}, publicUrl: undefined, placement: undefined, asksNothing: true });
});

test('every action is pinned to a commit, and no job may write', () => {
	for (const name of ['ci', 'deploy']) {
		const text = readFileSync(join(ROOT, `.github/workflows/${name}.yml`), 'utf8');
		for (const [, version] of text.matchAll(/uses: (\S+)/g)) expect(version).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
		expect([...text.matchAll(/^ *permissions:\n(?: +\S+: \S+\n)+/gm)].map(([block]) => block)).toEqual([
			'permissions:\n  contents: read\n',
		]);
	}
});
