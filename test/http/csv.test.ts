import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCsv } from '../../src/http/csv.ts';

// Anyone can influence a cell: a click's referrer, a customer's key, a refund's reason.

const cell = (value: string | number | null) => formatCsv('x', [{ x: value }]).slice('x\r\n'.length, -'\r\n'.length);

test.each([
	['plain', 'plain'],
	['two words', 'two words'],
	[null, ''],
	[-5, '-5'],
	['-5.25', '-5.25'],
	['+49', '+49'],
	['a=b', 'a=b'],
	['a,b', '"a,b"'],
	['a;b', '"a;b"'],
	['a\tb', '"a\tb"'],
	['a\nb', '"a\nb"'],
	['a\rb', '"a\rb"'],
	['say "a"', '"say ""a"""'],
	['=1+1', "'=1+1"],
	['+1+1', "'+1+1"],
	['-1+1', "'-1+1"],
	['@SUM(A1)', "'@SUM(A1)"],
	['＝1+1', "'＝1+1"],
	['＋1', "'＋1"],
	['－1', "'－1"],
	['＠SUM(A1)', "'＠SUM(A1)"],
	[' =1', "' =1"],
	['\u00a0=1', "'\u00a0=1"],
	['\u3000＝1', "'\u3000＝1"],
	['\u200b=1', "'\u200b=1"],
	['\ufeff=1', "'\ufeff=1"],
	['\tx', '"\'\tx"'],
	['\rx', '"\'\rx"'],
	['\nx', '"\'\nx"'],
	['a;=1', '"a;\'=1"'],
	['a\t=1', '"a\t\'=1"'],
	['a\r\n=1', '"a\r\n\'=1"'],
	['a\r=1', '"a\r\'=1"'],
	['\t=1', '"\'\t\'=1"'],
	['a;"=1', '"a;\'""=1"'],
	['a; -1', '"a;\' -1"'],
	['=HYPERLINK("https://x.example";"y")', '"\'=HYPERLINK(""https://x.example"";""y"")"'],
])('the cell %j', (value, text) => {
	expect(cell(value)).toBe(text);
});

/** The cells of a file as a spreadsheet reads them: a quote is special only at the beginning of a cell. */
function cellsOf(file: string, separator: string): string[] {
	const cells: string[] = [];
	let rest = file;
	while (rest !== '') {
		const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
		const [head = ''] = quoted ?? [''];
		const tail = new RegExp(`^[^${separator}\\r\\n]*`).exec(rest.slice(head.length))?.[0] ?? '';
		cells.push((quoted?.[1]?.replaceAll('""', '"') ?? '') + tail);
		rest = rest.slice(head.length + tail.length).replace(new RegExp(`^(\\r\\n|[\\r\\n${separator}])`), '');
	}
	return cells;
}

test('no cell is a formula with any separator of the reader, and each keeps its text', () => {
	const piece = fc.constantFrom('a', '1', ' ', ',', ';', '\t', '\r', '\n', '"', "'", '=', '+', '-', '@', '＝', '＋', '－', '＠', '\u200b');
	const text = fc.string({ unit: piece, maxLength: 8 });
	fc.assert(
		fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (values) => {
			const row = Object.fromEntries(values.map((value, index) => [`x${index}`, value]));
			const file = formatCsv(Object.keys(row).join(), [row]).split('\r\n').slice(1).join('\r\n');
			for (const separator of [',', ';', '\t']) {
				for (const read of cellsOf(file, separator)) {
					// A number alone, or one before a comma that is not a separator here.
					const isNumber = /^[+-]?\d+(\.\d+)?(,|$)/.test(read);
					expect(isNumber || !/^[\s\p{Cf}]*[=+\-@＝＋－＠]/u.test(read), JSON.stringify({ separator, read })).toBe(true);
				}
			}
			const cells = cellsOf(file, ',');
			expect(cells.map((read) => read.replaceAll("'", ''))).toEqual(values.map((value) => value.replaceAll("'", '')));
		}),
		{ numRuns: 3_000 },
	);
});
