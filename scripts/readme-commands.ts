import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../testing/root.ts';

/** The README sections whose code forms one file. The first has the imports. */
export const README_CODE = ['The SDK in twelve lines', 'Stripe in five'] as const;

/** The commands in a README section as one shell script. Values that a reader would fill in come from the environment. */
export function readmeCommands(title: string): string {
	return readmeBlocks(title, 'sh')
		.join('')
		.replace(/^(BASE|KEY)=.*$/gm, '');
}

export function readmeBlocks(title: string, language: 'sh' | 'ts'): string[] {
	const sections = readFileSync(join(ROOT, 'README.md'), 'utf8').split(/^## /m);
	const section = sections.find((text) => text.startsWith(`${title}\n`)) ?? '';
	return blocksOf(section, language);
}

export function blocksOf(text: string, language: 'sh' | 'ts'): string[] {
	return Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm')), ([, block = '']) => block);
}
