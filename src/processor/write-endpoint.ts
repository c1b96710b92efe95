import { type SQL, sql } from 'drizzle-orm';
import { type AuditedAction, auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { processorEndpoints } from '../db/schema/processor.ts';
import { type Endpoint, findEndpoint } from './endpoint.ts';
import type { AmountBasis } from './processor.ts';

export interface EndpointChange {
	readonly processor: string;
	/** JSON from storedSecrets. */
	readonly sealedSecrets: string;
	/** For a processor that is already connected. */
	readonly secretsNow: SQL | string;
	/** Undefined keeps the current value, or means `net` for a new connection. */
	readonly amountBasis?: AmountBasis | undefined;
}

export async function writeEndpoint(
	ctx: Context,
	program: ManagedProgram,
	{ processor, sealedSecrets, secretsNow, amountBasis }: EndpointChange,
	audited: Pick<AuditedAction, 'action' | 'detail'>,
): Promise<Endpoint> {
	await write(ctx.db, [
		ctx.db
			.insert(processorEndpoints)
			.values({
				programId: program.id,
				processor,
				sealedSecrets,
				amountBasis: amountBasis ?? 'net',
				createdAt: ctx.now,
				updatedAt: ctx.now,
			})
			.onConflictDoUpdate({
				target: [processorEndpoints.programId, processorEndpoints.processor],
				set: { sealedSecrets: secretsNow, amountBasis: amountBasis ?? sql`amount_basis`, updatedAt: ctx.now },
			}),
		auditProgram(ctx, program, audited),
	]);
	const endpoint = await findEndpoint(ctx, program.id, processor);
	if (!endpoint) throw new Error('The endpoint was disconnected in the meantime');
	return endpoint;
}
