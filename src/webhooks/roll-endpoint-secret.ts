import { and, eq, isNull, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { webhookEndpoints } from '../db/schema/webhooks.ts';
import { HOUR_MS } from '../domain/calendar.ts';
import { requireEndpoint, requireWritten, selectEndpoints, type WebhookEndpoint } from './endpoint.ts';
import { makeSecret, sealSecret } from './signing-secrets.ts';

/** Only this response contains the new secret. During the overlap the previous one also signs, but never a third. Rejects with 404. */
export async function rollEndpointSecret(
	ctx: Context,
	program: ManagedProgram,
	id: number,
	overlapHours: number,
): Promise<WebhookEndpoint & { readonly secret: string }> {
	await requireEndpoint(ctx, program, id);
	const secret = makeSecret();
	const sealed = JSON.stringify({ sealed: await sealSecret(ctx, program.id, secret) });
	const until = ctx.now + overlapHours * HOUR_MS;
	// The statement itself reads the secret, so that the later of two concurrent calls replaces that of the earlier one.
	const before = sql`json_object('sealed', ${webhookEndpoints.sealedSecrets} ->> '$[0].sealed', 'until', ${until})`;
	const sealedSecrets = overlapHours === 0 ? sql`json_array(json(${sealed}))` : sql`json_array(json(${sealed}), ${before})`;
	const { rolled } = await write(
		ctx.db,
		[
			ctx.db
				.update(webhookEndpoints)
				.set({ sealedSecrets })
				.where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.programId, program.id), isNull(webhookEndpoints.deletedAt))),
			auditProgram(ctx, program, { action: 'webhook.roll_secret', subjectId: id, detail: { overlap_hours: overlapHours } }),
		],
		{ rolled: selectEndpoints(ctx, program.id, { id }) },
	);
	return { ...requireWritten(ctx, rolled), secret };
}
