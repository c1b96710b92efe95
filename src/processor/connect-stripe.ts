import { sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { processorEndpoints } from '../db/schema/processor.ts';
import { type Endpoint, findEndpoint } from './endpoint.ts';
import type { AmountBasis } from './stripe/event-reader.ts';

export interface Connection {
	/** All signing secrets that count from now on; several while one is rolled. */
	readonly secrets: readonly string[];
	/** Undefined: as it is, `net` at first. */
	readonly amountBasis: AmountBasis | undefined;
}

/** Sets a program's Stripe up, or changes how it is. The secrets are stored under AES-GCM. */
export async function connectStripe(ctx: Context, program: ManagedProgram, connection: Connection): Promise<Endpoint> {
	const secrets = [...new Set(connection.secrets)];
	const sealedSecrets = JSON.stringify(await Promise.all(secrets.map((secret) => ctx.secrets.seal(secret))));
	const { amountBasis } = connection;
	await write(ctx.db, [
		ctx.db
			.insert(processorEndpoints)
			.values({
				programId: program.id,
				processor: 'stripe',
				sealedSecrets,
				amountBasis: amountBasis ?? 'net',
				createdAt: ctx.now,
				updatedAt: ctx.now,
			})
			.onConflictDoUpdate({
				target: [processorEndpoints.programId, processorEndpoints.processor],
				set: { sealedSecrets, amountBasis: amountBasis ?? sql`amount_basis`, updatedAt: ctx.now },
			}),
		auditProgram(ctx, program, {
			action: 'stripe.connect',
			detail: { secrets: secrets.length, ...(amountBasis === undefined ? {} : { amountBasis }) },
		}),
	]);
	const endpoint = await findEndpoint(ctx, program.id);
	if (!endpoint) throw new Error('The endpoint was disconnected meanwhile');
	return endpoint;
}
