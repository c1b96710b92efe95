import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAULTS_OF_THE_LOOK_ALIKE } from '../../compare/planted/faults.ts';
import { openSqlite } from '../../testing/d1/look-alike.ts';
import { migrationFiles } from '../../testing/migrations.ts';
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

const migrations = migrationFiles();
const schema = schemaOf();

// SQLite keeps the text of each table, index and trigger. If the text to replace is in the final schema and in no later migration, then the
// planted text would be in the final schema too.
test.each(IN_SCHEMA.map((fault) => [fault.name, fault] as const))('%s: no later migration repairs it', (_, { edits }) => {
	for (const { file, find } of edits.filter((edit) => edit.file.startsWith('migrations/'))) {
		const later = migrations.filter(({ name }) => `migrations/${name}.sql` > file);
		expect(later.filter(({ statements }) => statements.some((statement) => statement.includes(find)))).toEqual([]);
		// A table that replaces an earlier one loses this prefix.
		expect(schema).toContain(find.replaceAll('__new_', ''));
	}
});

function schemaOf(): string {
	const sqlite = openSqlite();
	const parts = sqlite.prepare('SELECT sql FROM sqlite_schema ORDER BY name').all();
	return parts.map(({ sql }) => String(sql)).join(';\n');
}

test('each fault has a unique name for its process', () => {
	const names = ALL.map(({ name }) => name);
	expect(names).toEqual([...new Set(names)]);
});
