// SQL that SQLite would run but D1 refuses. compare/ tries each function and pragma of Node's SQLite on D1.

/** Quoted text, comments and parameters. The group is a parameter's number. */
export const QUOTED_OR_PARAMETER = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|\?(\d*)/g;

/** D1's limit for a statement. */
export const SQL_BYTES = 100_000;

const TRANSACTION = /^\s*(begin|savepoint|commit|end|release|rollback)\b/i;
const NO_TRANSACTION =
	'D1_ERROR: To execute a transaction, please use the state.storage.transaction() or state.storage.transactionSync() APIs instead of the SQL BEGIN TRANSACTION or SAVEPOINT statements.';

const PRAGMAS = new Set([
	'case_sensitive_like',
	'data_version',
	'defer_foreign_keys',
	'foreign_key_check',
	'foreign_key_list',
	'foreign_keys',
	'ignore_check_constraints',
	'index_info',
	'index_list',
	'index_xinfo',
	'legacy_alter_table',
	'optimize',
	'page_size',
	'quick_check',
	'recursive_triggers',
	'reverse_unordered_selects',
	'table_info',
	'table_list',
	'table_xinfo',
]);

const FUNCTIONS = new Set(
	`ceiling fts3_tokenizer fts5 fts5_get_locale fts5_insttoken fts5_locale fts5_source_id geopoly_area geopoly_bbox geopoly_blob
	geopoly_ccw geopoly_contains_point geopoly_debug geopoly_group_bbox geopoly_json geopoly_overlap geopoly_regular geopoly_svg
	geopoly_within geopoly_xform if json_array_insert json_error_position json_pretty jsonb_array_insert load_extension log10 matchinfo
	median offsets optimize percentile percentile_cont percentile_disc power rtreedepth rtreenode sqlite_compileoption_get
	sqlite_compileoption_used sqlite_log sqlite_source_id sqlite_version subtype unistr unistr_quote`.split(/\s+/),
);

const CALLED = /\b(\w+)\s*\(/g;
const PRAGMA_READ = /\bpragma_(\w+)/gi;
const PRAGMA_RUN = /^\s*pragma\s+(?:\w+\s*\.\s*)?(\w+)/i;
const OTHER_DATABASES = /^\s*(?:(?:attach|detach)\b|create\s+temp(?:orary)?\b)|^\s*create\b[^(]*\b_cf_/i;

/** D1 skips empty statements in a batch. */
export function isEmpty(sql: string): boolean {
	return sql.replace(/^\s+--.*/gm, '').trim() === '';
}

/** D1 runs every statement in a transaction, where these behave differently. */
export function needsTransaction(sql: string): boolean {
	return /^\s*(?:pragma|vacuum)\b/i.test(sql);
}

export function refuseAsD1(sql: string): void {
	if (isEmpty(sql)) throw new Error('D1_ERROR: No SQL statements detected.');
	if (Buffer.byteLength(sql) > SQL_BYTES) throw new Error('D1_ERROR: statement too long: SQLITE_TOOBIG');
	if (TRANSACTION.test(sql)) throw new Error(NO_TRANSACTION);
	const bare = sql.replace(QUOTED_OR_PARAMETER, ' ');
	if (bare.trim() === '') throw new Error('D1_ERROR: SQL code did not contain a statement.');
	if (OTHER_DATABASES.test(bare)) throw new Error('D1_ERROR: not authorized: SQLITE_AUTH');
	const pragmas = [...bare.matchAll(PRAGMA_READ), PRAGMA_RUN.exec(bare) ?? []].flatMap(([, name]) => name?.toLowerCase() ?? []);
	if (pragmas.some((name) => !PRAGMAS.has(name))) throw new Error('D1_ERROR: not authorized: SQLITE_AUTH');
	for (const [, name = ''] of bare.matchAll(CALLED)) {
		if (FUNCTIONS.has(name.toLowerCase())) throw new Error(`D1_ERROR: not authorized to use function: ${name}: SQLITE_ERROR`);
	}
}
