import { env } from 'cloudflare:workers';
import { expect } from 'vitest';

export function run(sql: string, ...values: unknown[]): Promise<unknown> {
	return env.DB.prepare(sql)
		.bind(...values)
		.run();
}

/** The database refuses every statement with this text. */
export async function expectRefused(text: string, ...statements: readonly (readonly [string, ...unknown[]])[]): Promise<void> {
	for (const [sql, ...values] of statements) await expect(run(sql, ...values), sql).rejects.toThrow(text);
}
