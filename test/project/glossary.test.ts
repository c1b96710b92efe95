import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { complaintAboutName } from '../../scripts/lint/names.ts';
import { ROOT } from '../../testing/root.ts';

test.each([
	['toldAt', 'told'],
	['ToldReversal', 'told'],
	['TOLD_SINCE', 'told'],
	['webhookOutlet', 'outlet'],
	['planLetters', 'letters'],
	['standInsFor', 'stand ins'],
	['unearnedText', 'unearned'],
	['WatchedChain', 'watched chain'],
])('%s is refused', (name, word) => {
	expect(complaintAboutName(name)).toContain(`not "${word}" but`);
});

test.each(['reportedAt', 'deadLetters', 'listDeadLetters', 'told_by', 'letters_due', 'Outlet', 'foretold', 'newsletter'])(
	'%s is allowed',
	(name) => {
		expect(complaintAboutName(name)).toBeUndefined();
	},
);

test('the glossary names each refused word', () => {
	const refused =
		readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8')
			.split('## Refused in names')[1]
			?.split('\n')
			.filter((line) => line.startsWith('| ')) ?? [];
	const words = refused.slice(1).flatMap((line) => (line.split('|')[1] ?? '').replace(/\(.*\)/, '').split(','));
	expect(words.length).toBeGreaterThan(8);
	for (const word of words) expect(complaintAboutName(word.trim().replace(/[ -]/g, '_').toUpperCase())).toContain('docs/glossary.md');
});
