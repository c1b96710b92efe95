import { and, eq, isNull, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { webhookEndpoints } from '../db/schema/webhooks.ts';
import type { WebhookType } from '../domain/webhooks/webhook-type.ts';
import { requireEndpoint, requireWritten, selectEndpoints, type WebhookEndpoint } from './endpoint.ts';
import { requireAddress } from './require-address.ts';

export interface EndpointChanges {
	readonly url?: string | undefined;
	readonly description?: string | null | undefined;
	readonly types?: readonly WebhookType[] | undefined;
	/** If false, nothing is sent and waiting deliveries fail. */
	readonly enabled?: boolean | undefined;
}

/** Enabling an endpoint resets its failures. Rejects with 404, and with 400 if the URL is not public. */
export async function changeEndpoint(
	ctx: Context,
	program: ManagedProgram,
	id: number,
	changes: EndpointChanges,
): Promise<WebhookEndpoint> {
	const { url, description, types, enabled } = changes;
	const address = url === undefined ? undefined : requireAddress(ctx, url);
	await requireEndpoint(ctx, program, id);
	const { changed } = await write(
		ctx.db,
		[
			ctx.db
				.update(webhookEndpoints)
				.set({
					url: address ?? sql`${webhookEndpoints.url}`,
					...(description !== undefined && { description }),
					...(types && { types: JSON.stringify(types) }),
					...(address !== undefined && { restsUntil: null }),
					...(enabled !== undefined && stateOf(ctx, enabled)),
				})
				.where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.programId, program.id), isNull(webhookEndpoints.deletedAt))),
			auditProgram(ctx, program, {
				action: 'webhook.change',
				subjectId: id,
				detail: { moved: url !== undefined, types, enabled },
			}),
		],
		{ changed: selectEndpoints(ctx, program.id, { id }) },
	);
	return requireWritten(ctx, changed);
}

/** A disabled endpoint keeps its time and reason. */
function stateOf({ now }: Context, enabled: boolean) {
	if (enabled) return { disabledAt: null, disabledFor: null, failures: 0, failingSince: null, restsUntil: null };
	return {
		disabledAt: sql`coalesce(${webhookEndpoints.disabledAt}, ${now})`,
		disabledFor: sql`coalesce(${webhookEndpoints.disabledFor}, 'asked')`,
	};
}
