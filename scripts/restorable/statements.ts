import { createReadStream } from 'node:fs';

export interface Statement {
	/** Without the semicolon. Each character represents one byte, which is enough because SQL syntax is ASCII. */
	readonly text: string;
	readonly start: number;
	/** The position after its semicolon. */
	readonly end: number;
}

/** Marks that open a quote or comment, inside which a semicolon ends nothing, with their closing marks. */
const ENDS: Readonly<Record<string, string>> = { "'": "'", '"': '"', '`': '`', '--': '\n', '/*': '*/' };

/**
 * Reads the statements of a file, or of part of it, one by one, because the file may be larger than memory. A trigger contains statements,
 * so it is returned in parts.
 */
export async function* statementsIn(file: string, start = 0, end = Infinity): AsyncGenerator<Statement> {
	if (start >= end) return;
	const stream = createReadStream(file, { encoding: 'latin1', start, end: end - 1 });
	let text = '';
	let offset = start;
	let position = 0;
	let awaited: string | undefined;
	for await (const chunk of stream) {
		text += String(chunk);
		for (;;) {
			const found = awaited === undefined ? nextMark(text, position) : endOf(text, position, awaited);
			// The last character may be the start of the mark.
			if (!found) position = Math.max(position, text.length - 1);
			if (!found) break;
			position = found.end;
			if (awaited !== undefined) awaited = undefined;
			else if (found.mark !== ';') awaited = ENDS[found.mark];
			else {
				const whole = text.slice(0, position - 1);
				const blank = whole.length - whole.trimStart().length;
				yield { text: whole.trim(), start: offset + blank, end: offset + position };
				offset += position;
				text = text.slice(position);
				position = 0;
			}
		}
	}
	if (text.trim() !== '') throw new Error('The file ends inside a statement, so it is incomplete');
}

interface Mark {
	readonly mark: string;
	readonly end: number;
}

function nextMark(text: string, from: number): Mark | undefined {
	const marks = /['"`;]|--|\/\*/g;
	marks.lastIndex = from;
	const [mark] = marks.exec(text) ?? [];
	return mark === undefined ? undefined : { mark, end: marks.lastIndex };
}

function endOf(text: string, from: number, awaited: string): Mark | undefined {
	const at = text.indexOf(awaited, from);
	return at === -1 ? undefined : { mark: awaited, end: at + awaited.length };
}
