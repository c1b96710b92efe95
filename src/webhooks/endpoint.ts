import { and, desc, eq, isNull, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { webhookEndpoints } from '../db/schema/webhooks.ts';
import { notFound } from '../domain/rejection.ts';
import { WEBHOOK_TYPES, type WebhookType } from '../domain/webhooks/webhook-type.ts';
import { storedSecrets } from './signing-secrets.ts';

/** Without its secrets. */
export interface WebhookEndpoint {
	readonly id: number;
	readonly url: string;
	readonly description: string | null;
	readonly types: readonly WebhookType[];
	readonly createdAt: number;
	/** `asked`: on request. `gone`: after a 410. `failing`: for too long. */
	readonly disabledAt: number | null;
	readonly disabledFor: 'asked' | 'gone' | 'failing' | null;
	/** Since the last success. */
	readonly failures: number;
	readonly failingSince: number | null;
	/** Until then, the previous secret also signs. */
	readonly previousSecretUntil: number | null;
}

const Types = z.array(z.enum(WEBHOOK_TYPES));

export function selectEndpoints(
	ctx: Context,
	programId: number,
	only: { readonly id?: number | SQL<number>; readonly condition?: SQL | undefined },
) {
	const { id, condition } = only;
	return ctx.db
		.select()
		.from(webhookEndpoints)
		.where(
			and(
				eq(webhookEndpoints.programId, programId),
				isNull(webhookEndpoints.deletedAt),
				id === undefined ? undefined : eq(webhookEndpoints.id, id),
				condition,
			),
		)
		.orderBy(desc(webhookEndpoints.id));
}

export type EndpointRow = typeof webhookEndpoints.$inferSelect;

export function toEndpoint({ now }: Pick<Context, 'now'>, row: EndpointRow): WebhookEndpoint {
	const { id, url, description, createdAt, disabledAt, disabledFor, failures, failingSince } = row;
	const until = storedSecrets(row.sealedSecrets)[1]?.until ?? 0;
	return {
		id,
		url,
		description,
		types: Types.parse(JSON.parse(row.types)),
		createdAt,
		disabledAt,
		disabledFor,
		failures,
		failingSince,
		previousSecretUntil: until > now ? until : null,
	};
}

/** Rejects with 404. */
export async function requireEndpoint(ctx: Context, program: Pick<ManagedProgram, 'id'>, id: number): Promise<WebhookEndpoint> {
	const [row] = await selectEndpoints(ctx, program.id, { id });
	if (!row) throw notFound('Webhook');
	return toEndpoint(ctx, row);
}

/** Rejects with 404 if the write changed nothing. */
export function requireWritten(ctx: Context, rows: readonly EndpointRow[]): WebhookEndpoint {
	if (!rows[0]) throw notFound('Webhook');
	return toEndpoint(ctx, rows[0]);
}
