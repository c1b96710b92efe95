import type { PlantedFault } from '../../simulation/planted/planted-fault.ts';

const LOOK_ALIKE = 'testing/d1/look-alike.ts';
const REFUSED = 'testing/d1/refused-sql.ts';
const ERRORS = 'testing/d1/errors.ts';

function fault(name: string, why: string, find: string, replace: string, file = LOOK_ALIKE): PlantedFault {
	return { name, why, edits: [{ file, find, replace }] };
}

const unlimited = (limit: string, value: string, most: string) =>
	fault(`limit: ${limit}`, 'SQLite itself allows more than D1', `${limit}: ${value},`, `${limit}: ${most},`);

/** Rewrites a statement before it is compiled. */
const compiled = (name: string, why: string, rewrite: string) =>
	fault(
		name,
		why,
		'of(sql: string, asArrays: boolean): Compiled {',
		`of(asked: string, asArrays: boolean): Compiled {\n\t\tconst sql = asked${rewrite};`,
	);

/**
 * Ways in which the look-alike could differ from D1. Limits of function arguments and value lengths are missing, because only the deployed
 * D1 has them.
 */
export const FAULTS_OF_THE_LOOK_ALIKE: readonly PlantedFault[] = [
	unlimited('column', '100', '2_000'),
	unlimited('exprDepth', '100', '1_000'),
	unlimited('compoundSelect', '5', '500'),
	fault('limit: compoundSelect by one', 'one term more than D1 accepts', 'compoundSelect: 5,', 'compoundSelect: 6,'),
	unlimited('vdbeOp', '25_000', '250_000_000'),
	unlimited('likePatternLength', '50', '50_000'),
	unlimited('variableNumber', '100', '32_766'),
	unlimited('triggerDepth', '10', '1_000'),
	fault('limit: triggerDepth by one', 'one trigger more than D1 allows', 'triggerDepth: 10,', 'triggerDepth: 11,'),
	fault('limit: sqlLength', 'SQLite itself allows more', 'const SQL_BYTES = 100_000;', 'const SQL_BYTES = 1_000_000;', REFUSED),
	fault('foreign keys off', 'a reference to nothing is stored', 'enableForeignKeyConstraints: true', 'enableForeignKeyConstraints: false'),
	fault(
		'double-quoted strings off',
		'D1 accepts them',
		'enableDoubleQuotedStringLiterals: true',
		'enableDoubleQuotedStringLiterals: false',
	),
	compiled('CHECK not enforced', 'a balance falls below its floor', ".replace('CHECK (balance >= -100)', '')"),
	compiled('UNIQUE not enforced', 'a name is stored twice', ".replace('name TEXT UNIQUE', 'name TEXT')"),
	compiled('unique index not enforced', 'an operation is applied twice', ".replace('CREATE UNIQUE INDEX', 'CREATE INDEX')"),
	compiled('NOT NULL not enforced', 'a balance becomes null', ".replace('balance INTEGER NOT NULL', 'balance INTEGER')"),
	compiled(
		'a trigger that writes is skipped',
		'a balance does not follow its entries',
		".replace('AFTER INSERT ON scratch_entries', '$& WHEN 0')",
	),
	compiled('a trigger that aborts is skipped', 'entries are changed', ".replace('BEFORE UPDATE ON scratch_entries', '$& WHEN 0')"),
	compiled('a trigger within triggers is skipped', 'the chain ends early', ".replace('AFTER INSERT ON scratch_chain_5', '$& WHEN 0')"),
	fault('a batch is not atomic', 'statements before the error stay', "'ROLLBACK TO batch; RELEASE batch'", "'RELEASE batch'"),
	fault(
		'a batch stops without an error',
		'the caller believes that it succeeded',
		'		throw error;\n	}\n}',
		'		return [] as Result;\n	}\n}',
	),
	fault(
		'a batch runs backwards',
		'each statement sees another state',
		'full.map((statement) => statement.runNow())',
		'full.toReversed().map((statement) => statement.runNow()).toReversed()',
	),
	fault('an empty statement fails its batch', 'D1 skips it', '!isEmpty(sql))', 'sql !== undefined)'),
	fault(
		'changes without those of triggers',
		'SQLite counts them apart',
		'SELECT total_changes() AS changes',
		'SELECT (SELECT total_changes() - total_changes() + changes()) AS changes',
	),
	fault(
		'no changes with RETURNING',
		'a statement that returns rows counts as a read',
		'this.changes = changes - before.changes;',
		'this.changes = 0;',
	),
	fault('changes of all time', 'earlier changes are not subtracted', 'this.changes = changes - before.changes;', 'this.changes = changes;'),
	fault('another last row id', 'a read has none', 'this.last_row_id = lastRowId;', 'this.last_row_id = this.changes && lastRowId;'),
	fault(
		'numbers bind as integers',
		'D1 binds doubles',
		'return Number.isFinite(value) ? value + 0 : null;',
		'return Number.isInteger(value) && Math.abs(value) < 2 ** 53 ? BigInt(value) : Number.isFinite(value) ? value : null;',
	),
	fault('Infinity is stored', 'JSON turns it into null', 'Number.isFinite(value) ? value + 0 : null', 'value + 0'),
	fault('true is text', 'D1 stores 1', 'return value ? 1 : 0;', 'return String(value);'),
	fault(
		'missing parameters are null',
		'node:sqlite binds null for them',
		'if (this.#params.length !== compiled.parameters)',
		'if (this.#params.length > compiled.parameters)',
	),
	fault('a blob stays a blob', 'D1 returns a list of bytes', 'value instanceof Uint8Array ? [...value] : value', 'value'),
	fault('a missing column', 'first() returns undefined', 'if (!(column in row))', 'if (column === undefined)'),
	fault('rows without column names', 'raw() ignores its option', 'options?.columnNames ?', 'options?.columnNames && false ?'),
	fault(
		'a pragma outside a transaction',
		'foreign keys can be switched off',
		'/^\\s*(?:pragma|vacuum)\\b/i.test(sql)',
		'sql === undefined',
		REFUSED,
	),
	fault('transactions by hand', 'a caller begins one', 'if (TRANSACTION.test(sql))', 'if (sql === undefined)', REFUSED),
	fault('any function', 'D1 lacks some of SQLite', 'if (FUNCTIONS.has(', 'if (sql === name && FUNCTIONS.has(', REFUSED),
	fault('any pragma', 'D1 refuses most', '!PRAGMAS.has(name)', 'name === sql', REFUSED),
	fault('other databases', 'D1 refuses to attach one', 'if (OTHER_DATABASES.test(bare))', 'if (sql === undefined)', REFUSED),
	fault(
		'errors without the constraint',
		'the extended code is left out',
		'const extended = CONSTRAINTS[code];',
		"const extended = CONSTRAINTS[code]?.replace(/.*/, '') || undefined;",
		ERRORS,
	),
	fault('one error name for all', 'SQLITE_TOOBIG is lost', "18: 'SQLITE_TOOBIG'", "18: 'SQLITE_ERROR'", ERRORS),
];
