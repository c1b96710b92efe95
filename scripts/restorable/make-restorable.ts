import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished, pipeline } from 'node:stream/promises';
import { mendInsert } from './mend-insert.ts';
import { statementsIn } from './statements.ts';

// D1 cannot import the output of `wrangler d1 export` unchanged, for three reasons:
// - Tables are in order of creation, and a row is refused if its foreign key points to a later table.
// - A row of more than 100 KB of SQL is refused.
// - In a text with line breaks, `\n` as two characters becomes a line break too. A processor's JSON has both.

export interface Restorable {
	/** Rows by table. */
	readonly rows: ReadonlyMap<string, number>;
	readonly cutRows: number;
	readonly jsonTexts: number;
}

/** A statement and the rows after it, as positions in the export. */
interface Section {
	readonly head: string;
	readonly table: string | undefined;
	readonly references: readonly string[];
	readonly start: number;
	end: number;
	rows: number;
}

/** Rewrites an export so that `wrangler d1 execute --file` can import it into an empty D1. */
export async function makeRestorable(exported: string, restorable: string): Promise<Restorable> {
	const { sections, indexesFrom } = await sectionsOf(exported);
	const out = createWriteStream(restorable, { encoding: 'latin1', mode: 0o600 });
	let [cutRows, jsonTexts] = [0, 0];
	for (const section of parentsFirst(sections)) {
		await say(out, section.head);
		for await (const { text } of statementsIn(exported, section.start, section.end)) {
			const mended = mendInsert(text);
			if (mended.isCut) cutRows += 1;
			jsonTexts += mended.jsonTexts;
			for (const statement of mended.statements) await say(out, statement);
		}
	}
	if (indexesFrom === undefined) out.end();
	// Triggers come last, so that importing rows does not fire them.
	else await pipeline(createReadStream(exported, { start: indexesFrom }), out);
	await finished(out);
	const tables = sections.flatMap(({ table, rows }) => (table === undefined ? [] : [[table, rows] as const]));
	return { rows: new Map(tables), cutRows, jsonTexts };
}

async function sectionsOf(exported: string): Promise<{ readonly sections: readonly Section[]; readonly indexesFrom: number | undefined }> {
	const sections: Section[] = [];
	for await (const { text, start, end } of statementsIn(exported)) {
		if (/^CREATE (?:UNIQUE )?(?:INDEX|TRIGGER|VIEW)\b/i.test(text)) return { sections, indexesFrom: start };
		const last = sections.at(-1);
		if (/^INSERT INTO\b/i.test(text) && last) {
			last.end = end;
			last.rows += 1;
		} else {
			const table = /^CREATE TABLE (?:IF NOT EXISTS )?[`"]?(\w+)/i.exec(text)?.[1];
			const references = [...text.matchAll(/\bREFERENCES [`"]?(\w+)/gi)].map(([, name = '']) => name);
			sections.push({ head: text, table, references, start: end, end, rows: 0 });
		}
	}
	return { sections, indexesFrom: undefined };
}

function parentsFirst(sections: readonly Section[]): readonly Section[] {
	const ordered = new Set<Section>();
	const visited = new Set<Section>();
	const visit = (section: Section) => {
		if (visited.has(section)) return;
		visited.add(section);
		for (const parent of sections) if (parent.table !== undefined && section.references.includes(parent.table)) visit(parent);
		ordered.add(section);
	};
	for (const section of sections) visit(section);
	return [...ordered];
}

async function say(out: WriteStream, statement: string): Promise<void> {
	if (!out.write(`${statement};\n`)) await once(out, 'drain');
}
