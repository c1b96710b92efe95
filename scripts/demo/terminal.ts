import { styleText } from 'node:util';

const COLUMNS = 80;

// Styles apply only in a terminal, and not if NO_COLOR is set.
export const strong = styled('bold');
export const faint = styled('dim');
export const good = styled('green');
export const bad = styled('red');

function styled(format: 'bold' | 'dim' | 'green' | 'red') {
	return (text: string): string => styleText(format, text, { stream: process.stdout });
}

export function say(text: string): void {
	console.log(text);
}

/** Formats JSON for reading: on one line if it fits in 80 columns, otherwise one field per line, wrapped at spaces. */
export function jsonLines(value: object, indent: number): string[] {
	const margin = ' '.repeat(indent);
	const oneLine = `${margin}${spaced(value)}`;
	if (oneLine.length <= COLUMNS) return [oneLine];
	return JSON.stringify(value, null, 2)
		.split('\n')
		.flatMap((line) => wrap(`${margin}${line}`));
}

function spaced(value: object): string {
	return JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
}

function wrap(line: string): string[] {
	const cut = line.lastIndexOf(' ', COLUMNS);
	const margin = line.length - line.trimStart().length;
	if (line.length <= COLUMNS || cut <= margin) return [line];
	return [line.slice(0, cut), ...wrap(`${' '.repeat(margin + 2)}${line.slice(cut + 1)}`)];
}
