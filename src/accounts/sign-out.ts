import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { sessions } from '../db/schema/accounts.ts';
import { auditEntry } from './audit.ts';
import type { Actor } from './session.ts';

/** Ends only this session. */
export async function signOut(ctx: Context, actor: Actor, tokenHash: string): Promise<void> {
	await write(ctx.db, [
		ctx.db.delete(sessions).where(eq(sessions.tokenHash, tokenHash)),
		auditEntry(ctx, actor, { workspaceId: null, action: 'session.end' }),
	]);
}
