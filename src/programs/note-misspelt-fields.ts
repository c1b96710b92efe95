import { sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { write } from '../db/client.ts';
import { MISSPELT_MS, type MisspeltField } from '../domain/misspelt-field.ts';

const KEPT_FIELDS = 20;

/**
 * Counts misspelt fields for the status after the response; failures are only logged. The names resemble fields of the API, so they are not
 * personal data.
 */
export function noteMisspeltFields(ctx: Context, keyHash: string, operation: string, fields: readonly MisspeltField[]): void {
	ctx.defer(
		countFields(ctx, keyHash, operation, fields).catch((error: unknown) =>
			ctx.log({ level: 'warn', event: 'misspelt_fields_not_noted', ...describeFault(error) }),
		),
	);
}

async function countFields(ctx: Context, keyHash: string, operation: string, fields: readonly MisspeltField[]): Promise<void> {
	const program = sql`(SELECT program_id FROM program_keys WHERE token_hash = ${keyHash})`;
	await write(ctx.db, [
		ctx.db.run(sql`DELETE FROM misspelt_fields WHERE program_id = ${program} AND last_at < ${ctx.now - MISSPELT_MS}`),
		ctx.db.run(sql`
			INSERT INTO misspelt_fields (program_id, operation, field, meant, calls, since, last_at)
			SELECT p.id, ${operation}, json_extract(f.value, '$.field'), json_extract(f.value, '$.meant'), 1, ${ctx.now}, ${ctx.now}
			FROM programs p, json_each(${JSON.stringify(fields)}) f
			WHERE p.id = ${program} AND (SELECT count(*) FROM misspelt_fields m WHERE m.program_id = p.id) < ${KEPT_FIELDS}
			ON CONFLICT (program_id, operation, field) DO UPDATE SET calls = calls + 1, last_at = max(last_at, excluded.last_at)`),
	]);
}
