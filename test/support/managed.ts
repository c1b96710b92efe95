import { env } from 'cloudflare:workers';
import {
	findProgram,
	findWorkspace,
	type ManagedProgram,
	type ManagedWorkspace,
	requireProgramOf,
	requireWorkspaceOf,
} from '../../src/accounts/membership.ts';
import { openContext } from '../../src/context.ts';
import { sha256Hex } from '../../src/secrets.ts';
import type { Owner } from './world.ts';

const context = () => openContext(env, { waitUntil: () => undefined });

/** The program as an operation receives it when the owner makes the call. */
export async function managedBy({ token }: Pick<Owner, 'token'>, { id }: { readonly id: number }): Promise<ManagedProgram> {
	return requireProgramOf(await findProgram(context(), await sha256Hex(token), null, id), 'owner');
}

/** The same for a workspace, with any of its members. */
export async function workspaceOf({ token }: Pick<Owner, 'token'>, { workspaceId }: Pick<Owner, 'workspaceId'>): Promise<ManagedWorkspace> {
	return requireWorkspaceOf(await findWorkspace(context(), await sha256Hex(token), null, workspaceId), 'member');
}
