import { and, eq, isNull } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { webhookEndpoints } from '../db/schema/webhooks.ts';
import { requireEndpoint } from './endpoint.ts';

/** Deletes the secrets and hides the log. Waiting deliveries fail. Rejects with 404. */
export async function deleteEndpoint(ctx: Context, program: ManagedProgram, id: number): Promise<void> {
	await requireEndpoint(ctx, program, id);
	await write(ctx.db, [
		ctx.db
			.update(webhookEndpoints)
			.set({ deletedAt: ctx.now, sealedSecrets: '[]' })
			.where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.programId, program.id), isNull(webhookEndpoints.deletedAt))),
		auditProgram(ctx, program, { action: 'webhook.delete', subjectId: id }),
	]);
}
