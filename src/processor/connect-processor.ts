import { sql } from 'drizzle-orm';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context, SigningSecret } from '../context.ts';
import { type Endpoint, storedSecrets } from './endpoint.ts';
import type { AmountBasis, Processor } from './processor.ts';
import { writeEndpoint } from './write-endpoint.ts';

export interface Connection {
	/** Several during a rotation. They replace only secrets of the same mode. */
	readonly secrets: readonly Pick<SigningSecret, 'secret' | 'isTest'>[];
	/** Undefined keeps the current value, or means `net` for a new connection. */
	readonly amountBasis: AmountBasis | undefined;
}

/** Secrets are encrypted with AES-GCM. */
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
	const secretsNow = modes.size === 1 ? withOtherMode([...modes][0]) : sealedSecrets;
	return writeEndpoint(
		ctx,
		program,
		{ processor: processor.name, sealedSecrets, secretsNow, amountBasis },
		{
			action: processor.audited?.connect ?? 'processor.connect',
			detail: {
				...(processor.audited ? {} : { processor: processor.name }),
				secrets: distinct.length,
				...(amountBasis === undefined ? {} : { amountBasis }),
			},
		},
	);
}

function withOtherMode(isTest: boolean | undefined) {
	if (isTest === undefined) return sql`excluded.sealed_secrets`;
	return sql`(SELECT json_group_array(json(value)) FROM (
		SELECT value FROM json_each(excluded.sealed_secrets)
		UNION ALL SELECT value FROM json_each(processor_endpoints.sealed_secrets) WHERE CASE WHEN type = 'object' THEN value ->> '$.isTest' = ${isTest ? 0 : 1} END
	))`;
}
