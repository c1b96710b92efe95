import { createReadStream } from 'node:fs';

/** A statement of a file, and where it stands in it. */
export interface Statement {
	/** Without the semicolon. A character is a byte: what SQL means by any is the same in UTF-8. */
	readonly text: string;
	readonly start: number;
	/** Behind its semicolon. */
	readonly end: number;
}

/** What begins something in which a semicolon is none, by where it ends. */
const ENDS: Readonly<Record<string, string>> = { "'": "'", '"': '"', '`': '`', '--': '\n', '/*': '*/' };

/**
 * The statements of a file, or of a part of it, one by one, as it may be larger than memory. Of one that holds statements itself, as a
 * trigger does, the parts come.
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
			// What is awaited may begin with the last character.
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
	if (text.trim() !== '') throw new Error('The file ends within a statement: it is not whole');
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
