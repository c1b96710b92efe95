import type { SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { programKeys } from '../db/schema/programs.ts';
import { newToken, sha256Hex } from '../secrets.ts';

const PREFIX_LENGTH = 12;

export interface NewKey {
	readonly token: string;
	readonly hash: string;
	readonly sealed: string;
}

/** The hash finds the key, and the ciphertext reveals it. */
export async function newKey(ctx: Context): Promise<NewKey> {
	const token = newToken('prg');
	const [hash, sealed] = await Promise.all([sha256Hex(token), ctx.secrets.seal(token)]);
	return { token, hash, sealed };
}

/** The unique hash shows a retry that its first attempt succeeded. */
export function insertKey(ctx: Context, programId: number | SQL<number>, key: NewKey): Statement {
	return ctx.db.insert(programKeys).values({
		programId,
		tokenHash: key.hash,
		prefix: key.token.slice(0, PREFIX_LENGTH),
		sealedToken: key.sealed,
		createdAt: ctx.now,
	});
}
