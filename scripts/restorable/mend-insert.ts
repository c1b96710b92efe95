// Rewrites a row of an export so that D1 accepts it. In these strings, each character represents one byte.

/** Well below D1's limit for the length of a statement. */
const STATEMENT_BYTES = 90_000;
/** If a statement is too long, texts larger than this are inserted in pieces. */
const LONG_TEXT_BYTES = 4_000;
const PIECE_BYTES = 60_000;
const PIECES = '"restore_pieces"';
/** If this occurs anywhere in a file, even inside a text, wrangler assumes that the file has its own transactions. */
const TRANSACTION = 'BEGIN TRANSACTION';

const TEXTS = /'((?:[^']|'')*)'/g;

export interface Mended {
	readonly statements: readonly string[];
	readonly isCut: boolean;
	/** The number of JSON texts whose line breaks D1 would have changed. */
	readonly jsonTexts: number;
}

/** The statements that insert the row. */
export function mendInsert(insert: string): Mended {
	const { text, jsonTexts } = keepJsonEscapes(insert);
	const isCut = text.length > STATEMENT_BYTES;
	const statements = isCut ? cut(text) : [text];
	return { statements: statements.map(withoutTransaction), isCut, jsonTexts };
}

function withoutTransaction(statement: string): string {
	if (!statement.includes(TRANSACTION)) return statement;
	return statement.replaceAll(TEXTS, (literal: string) => {
		const blank = unusedMark(literal, 'blank');
		return literal.includes(TRANSACTION)
			? `replace(${literal.replaceAll(TRANSACTION, TRANSACTION.replace(' ', blank))},'${blank}',' ')`
			: literal;
	});
}

/** A text with line breaks in the export, where a line break and a backslash followed by n both appear as `\n`. */
const LINES = /replace\((?:replace\()?'([{[](?:[^']|'')*)'(?:,'\\r',char\(13\)\))?(?:,'\\n',char\(10\)\))/g;

/**
 * Restores the difference in JSON texts, because JSON has no line break inside a string and no backslash outside one. In other texts it is
 * lost.
 */
function keepJsonEscapes(insert: string): { readonly text: string; readonly jsonTexts: number } {
	let jsonTexts = 0;
	const text = insert.replaceAll(LINES, (whole: string, json: string) => {
		const parts = json.split(/("(?:[^"\\]|\\.)*")/s);
		// Every second part is a string.
		const isAmbiguous = parts.some((part, index) => index % 2 === 1 && /\\[nr]/.test(part));
		const isJson = parts.every((part, index) => index % 2 === 1 || !/["\\]/.test(part.replaceAll(/\\[nr]/g, '')));
		if (!isAmbiguous || !isJson) return whole;
		jsonTexts += 1;
		const [line, carriage] = [unusedMark(json, 'line'), unusedMark(json, 'return')];
		const marked = parts.map((part, index) => (index % 2 === 1 ? part : part.replaceAll('\\n', line).replaceAll('\\r', carriage)));
		return `replace(replace('${marked.join('')}','${carriage}',char(13)),'${line}',char(10))`;
	});
	return { text, jsonTexts };
}

function unusedMark(text: string, name: string): string {
	for (let count = 0; ; count += 1) {
		const mark = `<${name}${count}>`;
		if (!text.includes(mark)) return mark;
	}
}

/** Inserts the row, with each long text joined from pieces. */
function cut(insert: string): string[] {
	const pieces: string[] = [];
	let texts = 0;
	const row = insert.replaceAll(TEXTS, (literal: string, text: string) => {
		if (text.length <= LONG_TEXT_BYTES) return literal;
		texts += 1;
		piecesOf(text).forEach((piece, index) => pieces.push(`INSERT INTO ${PIECES} VALUES (${texts},${index},'${piece}')`));
		return `(SELECT group_concat(piece,'' ORDER BY position) FROM ${PIECES} WHERE text = ${texts})`;
	});
	const table = `CREATE TABLE ${PIECES} (text INTEGER, position INTEGER, piece TEXT)`;
	return [table, ...pieces, row, `DROP TABLE ${PIECES}`];
}

/** Splits a quoted text without breaking up a UTF-8 character or a doubled quote. */
function piecesOf(text: string): string[] {
	const pieces: string[] = [];
	for (let start = 0; start < text.length;) {
		let end = Math.min(start + PIECE_BYTES, text.length);
		while (end < text.length && /[\x80-\xbf]/.test(text.charAt(end))) end -= 1;
		const quotes = /'*$/.exec(text.slice(start, end))?.[0].length ?? 0;
		if (end < text.length && quotes % 2 === 1) end -= 1;
		pieces.push(text.slice(start, end));
		start = end;
	}
	return pieces;
}
