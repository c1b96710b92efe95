import { env } from 'cloudflare:workers';
import { findProgram, type ManagedProgram, requireProgramOf } from '../../src/accounts/membership.ts';
import { openContext } from '../../src/context.ts';
import { sha256Hex } from '../../src/secrets.ts';
import type { Owner } from './world.ts';

/** The program as its verbs get it, when its owner calls them. */
export async function managedBy({ token }: Pick<Owner, 'token'>, { id }: { readonly id: number }): Promise<ManagedProgram> {
	const ctx = openContext(env, { waitUntil: () => undefined });
	return requireProgramOf(await findProgram(ctx, await sha256Hex(token), null, id), 'owner');
}
