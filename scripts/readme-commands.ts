import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './wrangler.ts';

/** The commands of some sections of the README as one shell script; what a reader fills in is left to the environment. */
export function readmeCommands(...titles: string[]): string {
	const sections = readFileSync(join(ROOT, 'README.md'), 'utf8').split(/^## /m);
	return titles
		.map((title) => sections.find((section) => section.startsWith(`${title}\n`)) ?? '')
		.flatMap((section) => Array.from(section.matchAll(/^```sh\n([^]*?)^```$/gm), ([, commands = '']) => commands))
		.join('')
		.replace(/^(BASE|KEY|EMAIL|PROGRAM|WHSEC)=.*$/gm, '');
}
