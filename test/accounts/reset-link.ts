import { env } from 'cloudflare:workers';
import { recoveryStatements } from '../../scripts/recovery.ts';
import { sha256Hex } from '../../src/secrets.ts';
import { unique } from '../support/world.ts';

/** Does what `npm run recover` does, and returns the token that it prints. */
export async function recover({ email }: { readonly email: string }, now = Date.now()): Promise<string> {
	const token = `rst_${unique('').replaceAll('-', '').padEnd(40, '0')}`;
	await env.DB.batch(recoveryStatements(email, await sha256Hex(token), now).map((statement) => env.DB.prepare(statement)));
	return token;
}
