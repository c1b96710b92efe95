import { requireProgramByKey, type TrackedProgram } from '../programs/program-key.ts';
import type { AppContext } from './app-env.ts';
import { requireKeyHash } from './bearer.ts';
import { requireNoGuessing } from './key-guesses.ts';
import { requireWithinLimit } from './limits.ts';

/** The hash of the caller's program key, within its share of the calls, from nobody who guesses. Rejects with 401, 429. */
export async function requireLimitedKeyHash(c: AppContext): Promise<string> {
	const keyHash = await requireKeyHash(c);
	await requireWithinLimit(c.env.SERVER_LIMIT, keyHash);
	await requireNoGuessing(c, keyHash);
	return keyHash;
}

/** The program of the caller's key, in one trip. Rejects with 401, 429. */
export async function requireKeyedProgram(c: AppContext): Promise<TrackedProgram> {
	return requireProgramByKey(c.get('ctx'), await requireLimitedKeyHash(c));
}
