import { sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context, SigningSecret } from '../context.ts';
import { write } from '../db/client.ts';
import { processorEndpoints } from '../db/schema/processor.ts';
import { type Endpoint, findEndpoint, storedSecrets } from './endpoint.ts';
import type { AmountBasis, Processor } from './processor.ts';

export interface Connection {
	/**
	 * All signing secrets that count from now on; several while one is rolled. Those that sign one mode take the place of that mode's,
	 * and leave the other's alone.
	 */
	readonly secrets: readonly Pick<SigningSecret, 'secret' | 'isTest'>[];
	/** Undefined: as it is, `net` at first. */
	readonly amountBasis: AmountBasis | undefined;
}

/** Sets one of a program's processors up, or changes how it is. The secrets are stored under AES-GCM. */
export async function connectProcessor(
	ctx: Context,
	program: ManagedProgram,
	processor: Pick<Processor, 'name' | 'audited'>,
	{ secrets, amountBasis }: Connection,
): Promise<Endpoint> {
	const distinct = [...new Map(secrets.map((one) => [one.secret, one])).values()];
	const sealing = distinct.map(async ({ secret, isTest }) => ({ sealed: await ctx.secrets.seal(secret), isTest, until: undefined }));
	const sealedSecrets = storedSecrets(await Promise.all(sealing));
	const modes = new Set(distinct.map(({ isTest }) => isTest));
	await write(ctx.db, [
		ctx.db
			.insert(processorEndpoints)
			.values({
				programId: program.id,
				processor: processor.name,
				sealedSecrets,
				amountBasis: amountBasis ?? 'net',
				createdAt: ctx.now,
				updatedAt: ctx.now,
			})
			.onConflictDoUpdate({
				target: [processorEndpoints.programId, processorEndpoints.processor],
				set: {
					sealedSecrets: modes.size === 1 ? withOtherMode([...modes][0]) : sealedSecrets,
					amountBasis: amountBasis ?? sql`amount_basis`,
					updatedAt: ctx.now,
				},
			}),
		auditProgram(ctx, program, {
			action: processor.audited?.connect ?? 'processor.connect',
			detail: {
				...(processor.audited ? {} : { processor: processor.name }),
				secrets: distinct.length,
				...(amountBasis === undefined ? {} : { amountBasis }),
			},
		}),
	]);
	const endpoint = await findEndpoint(ctx, program.id, processor.name);
	if (!endpoint) throw new Error('The endpoint was disconnected meanwhile');
	return endpoint;
}

/** The new secrets, and those there are of the other mode. */
function withOtherMode(isTest: boolean | undefined) {
	if (isTest === undefined) return sql`excluded.sealed_secrets`;
	return sql`(SELECT json_group_array(json(value)) FROM (
		SELECT value FROM json_each(excluded.sealed_secrets)
		UNION ALL SELECT value FROM json_each(processor_endpoints.sealed_secrets) WHERE CASE WHEN type = 'object' THEN value ->> '$.isTest' = ${isTest ? 0 : 1} END
	))`;
}
