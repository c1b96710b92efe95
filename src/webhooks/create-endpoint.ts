import { sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { webhookEndpoints } from '../db/schema/webhooks.ts';
import { conflict } from '../domain/rejection.ts';
import type { WebhookType } from '../domain/webhooks/webhook-type.ts';
import { requireWritten, selectEndpoints, type WebhookEndpoint } from './endpoint.ts';
import { requireAddress } from './require-address.ts';
import { makeSecret, sealSecret } from './signing-secrets.ts';

export interface NewEndpoint {
	readonly url: string;
	readonly description: string | null;
	readonly types: readonly WebhookType[];
}

/** Only this response contains the signing secret. Rejects with 400 if the URL is not public, and with 409 above ten endpoints. */
export async function createEndpoint(
	ctx: Context,
	program: ManagedProgram,
	{ url, description, types }: NewEndpoint,
): Promise<WebhookEndpoint & { readonly secret: string }> {
	const address = requireAddress(ctx, url);
	const secret = makeSecret();
	const sealedSecrets = JSON.stringify([{ sealed: await sealSecret(ctx, program.id, secret) }]);
	const newest = sql<number>`(SELECT max(${webhookEndpoints.id}) FROM ${webhookEndpoints})`;
	const row = { programId: program.id, url: address, description, types: JSON.stringify(types), sealedSecrets, createdAt: ctx.now };
	try {
		const { made } = await write(
			ctx.db,
			[
				ctx.db.insert(webhookEndpoints).values(row),
				auditProgram(ctx, program, { action: 'webhook.create', subjectId: newest, detail: { types } }),
			],
			{ made: selectEndpoints(ctx, program.id, { id: newest }) },
		);
		return { ...requireWritten(ctx, made), secret };
	} catch (error) {
		if (refusedWith(error, 'webhook_endpoints: ten of a program')) throw conflict('A program has at most 10 webhooks: delete one first');
		throw error;
	}
}
