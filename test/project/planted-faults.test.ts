import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAULTS_OF_THE_LOOK_ALIKE } from '../../compare/planted/faults.ts';
import { openSqlite } from '../../testing/d1/look-alike.ts';
import { plant } from '../../simulation/planted/planted-fault.ts';
import { PLANTED_FAULTS } from '../../simulation/planted/planted-faults.ts';

// A planted fault replaces text of the service. If you change that text, update the fault too.

const ALL = [...PLANTED_FAULTS, ...FAULTS_OF_THE_LOOK_ALIKE];

test.each(ALL.map((fault) => [fault.name, fault] as const))('%s: matches the current code', (_, fault) => {
	for (const file of new Set(fault.edits.map((edit) => edit.file))) {
		const source = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
		expect(plant(fault, file, source)).not.toBe(source);
	}
});

const IN_SCHEMA = PLANTED_FAULTS.filter(({ edits }) => edits.some(({ file }) => file.startsWith('migrations/')));

const schema = schemaOf();

test.each(IN_SCHEMA.map((fault) => [fault.name, fault] as const))('%s: no later migration repairs it', (_, fault) => {
	const changes = fault.edits.filter(({ file }) => file.startsWith('migrations/'));
	for (const edit of changes) expect(schemaOf((file, sql) => plant({ ...fault, edits: [edit] }, file, sql))).not.toEqual(schema);
});

function schemaOf(rewrite?: (file: string, sql: string) => string): unknown[] {
	const sqlite = openSqlite(rewrite);
	try {
		return sqlite.prepare('SELECT name, sql FROM sqlite_master ORDER BY name').all();
	} finally {
		sqlite.close();
	}
}

test('each fault has a unique name for its process', () => {
	const names = ALL.map(({ name }) => name);
	expect(names).toEqual([...new Set(names)]);
});
