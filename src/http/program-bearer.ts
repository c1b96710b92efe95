import { createMiddleware } from 'hono/factory';
import { Rejection } from '../domain/rejection.ts';
import { requireProgramByKey, type TrackedProgram } from '../programs/program-key.ts';
import { sha256Hex } from '../secrets.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { requireNoGuessing } from './key-guesses.ts';
import { requireWithinLimit } from './limits.ts';

/** For routes that look up the key themselves. Rejects with 401, 429. */
export const requireKey = createMiddleware<AppEnv & { Variables: { keyHash: string } }>(async (c, next) => {
	c.set('keyHash', await limitedKeyHash(c));
	await next();
});

/** Finds the key's program in a separate round trip. Rejects with 401, 429. */
export const requireKeyedProgram = createMiddleware<AppEnv & { Variables: { keyHash: string; program: TrackedProgram } }>(
	async (c, next) => {
		const keyHash = await limitedKeyHash(c);
		c.set('keyHash', keyHash);
		c.set('program', await requireProgramByKey(c.var.ctx, keyHash));
		await next();
	},
);

/** The SHA-256 of the key. Rejects with 429 if the key exceeds its limit or the caller guesses keys. */
export async function limitedKeyHash(c: AppContext): Promise<string> {
	const keyHash = await sha256Hex(bearerOf(c));
	await requireWithinLimit(c.env.SERVER_LIMIT, keyHash);
	await requireNoGuessing(c, keyHash);
	return keyHash;
}

const SESSION_PREFIX = 'ses_';

/** Contract, section 5, rules 1 and 2. */
function bearerOf(c: AppContext): string {
	const header = c.req.header('Authorization');
	if (!header?.startsWith('Bearer ')) throw new Rejection('authorization_missing');
	const token = header.slice('Bearer '.length).trim();
	if (token === '') throw new Rejection('program_key_empty');
	if (token.startsWith(SESSION_PREFIX)) throw new Rejection('program_key_is_session');
	return token;
}
