import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { users } from '../db/schema/accounts.ts';
import { Rejection } from '../domain/rejection.ts';
import { auditEntry } from './audit.ts';
import type { Actor } from './session.ts';

/** The audit entry omits the name because it outlives the account. */
export async function renameAccount(ctx: Context, actor: Actor, name: string): Promise<void> {
	try {
		await write(ctx.db, [
			// NULL fails the batch if the account was deleted, so that it stays nameless.
			ctx.db
				.update(users)
				.set({ name: sql`(SELECT ${name} WHERE ${users.deactivatedAt} IS NULL)` })
				.where(eq(users.id, actor.userId)),
			auditEntry(ctx, actor, { workspaceId: null, action: 'account.rename' }),
		]);
	} catch (error) {
		throw refusedWith(error, 'users.name') ? new Rejection('session_unknown') : error;
	}
}
