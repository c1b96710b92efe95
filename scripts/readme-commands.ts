import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../testing/root.ts';

/** The commands of some sections of the README as one shell script; what a reader fills in is left to the environment. */
export function readmeCommands(...titles: string[]): string {
	return titles
		.flatMap((title) => readmeBlocks(title, 'sh'))
		.join('')
		.replace(/^(BASE|KEY|EMAIL|PASSWORD|PROGRAM|WHSEC)=.*$/gm, '');
}

/** The code blocks of a section of the README in one language. */
export function readmeBlocks(title: string, language: 'sh' | 'ts'): string[] {
	const sections = readFileSync(join(ROOT, 'README.md'), 'utf8').split(/^## /m);
	const section = sections.find((text) => text.startsWith(`${title}\n`)) ?? '';
	return blocksOf(section, language);
}

/** The code blocks of a text in one language. */
export function blocksOf(text: string, language: 'sh' | 'ts'): string[] {
	return Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm')), ([, block = '']) => block);
}
