import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { faint } from './terminal.ts';

/**
 * Formats wrangler's log lines for an email (`npm run dev -- --mail`): the headers, then the path of its text file, which is replaced by
 * the text itself. Undefined for any other line.
 */
export function emailLine(line: string): string | undefined {
	const plain = stripVTControlCharacters(line);
	const [, file] = /^Text: (\/.*\/email-text\/.*\.txt|[A-Za-z]:\\.*\\email-text\\.*\.txt)$/.exec(plain) ?? [];
	if (file === undefined) return /^(From|To|Subject): /.test(plain) ? bar(plain) : undefined;
	try {
		return readFileSync(file, 'utf8').trimEnd().split('\n').map(bar).join('\n');
	} catch {
		return line;
	}
}

function bar(text: string): string {
	return `${faint('  |')} ${text}`;
}
