// A row of an export as D1 takes it again. Of the texts here each character is a byte.

/** What D1 takes as a statement, with room to spare. */
const STATEMENT_BYTES = 90_000;
/** Of a statement that is too long, texts above this size come in pieces of their own. */
const LONG_TEXT_BYTES = 4_000;
const PIECE_BYTES = 60_000;
const PIECES = '"restore_pieces"';
/** wrangler takes a file that says so, in whatever text, for one with transactions of its own. */
const TRANSACTION = 'BEGIN TRANSACTION';

const TEXTS = /'((?:[^']|'')*)'/g;

export interface Mended {
	readonly statements: readonly string[];
	readonly isCut: boolean;
	/** JSON texts that would have come back with other line breaks. */
	readonly jsonTexts: number;
}

/** The statements that put in the row of an INSERT. */
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

/** A text with line breaks, as the export has it: `\n` stands for each, and for what was a backslash and an n. */
const LINES = /replace\((?:replace\()?'([{[](?:[^']|'')*)'(?:,'\\r',char\(13\)\))?(?:,'\\n',char\(10\)\))/g;

/**
 * In JSON a line break is never within a string, and a backslash never outside of one: so which of the two it was can still be told.
 * Other texts, that have both, cannot be told apart.
 */
function keepJsonEscapes(insert: string): { readonly text: string; readonly jsonTexts: number } {
	let jsonTexts = 0;
	const text = insert.replaceAll(LINES, (whole: string, json: string) => {
		const parts = json.split(/("(?:[^"\\]|\\.)*")/s);
		// Strings are every second part.
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

/** The same row, whose long texts are put together of pieces. */
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

/** Of what stands between quotes: no character and no doubled quote is torn. */
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
