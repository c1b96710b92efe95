import { sql } from 'drizzle-orm';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context, SigningSecret } from '../context.ts';
import { HOUR_MS } from '../domain/calendar.ts';
import type { Endpoint } from './endpoint.ts';
import type { Processor } from './processor.ts';
import { writeEndpoint } from './write-endpoint.ts';

/** The newest ones stay. */
const KEPT = 5;
const SECRET_BYTES = 24;

export interface Roll extends Pick<SigningSecret, 'secret' | 'isTest'> {
	readonly overlapHours: number;
}

/** In the format of Standard Webhooks. */
export function makeSecret({ prefix }: Processor['secretForm']): string {
	return `${prefix}${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;
}

/** Existing secrets of the same mode stay valid for a while. */
export async function rollSecret(ctx: Context, program: ManagedProgram, { name }: Processor, roll: Roll): Promise<Endpoint> {
	const { secret, isTest, overlapHours } = roll;
	const sealedSecrets = JSON.stringify([{ sealed: await ctx.secrets.seal(secret), isTest }]);
	const until = ctx.now + overlapHours * HOUR_MS;
	return writeEndpoint(
		ctx,
		program,
		{ processor: name, sealedSecrets, secretsNow: withEarlier(isTest, until, ctx.now) },
		{ action: 'processor.roll_secret', detail: { processor: name, overlapHours } },
	);
}

/** Computed in SQL, because two rotations may run at once. */
function withEarlier(isTest: boolean | undefined, until: number, now: number) {
	const mode = isTest === undefined ? null : Number(isTest);
	return sql`(SELECT json_group_array(json(entry)) FROM (
		SELECT value AS entry FROM json_each(excluded.sealed_secrets)
		UNION ALL SELECT * FROM (
			SELECT CASE
				WHEN type = 'text' THEN json_object('sealed', value, 'until', ${until})
				WHEN value ->> '$.isTest' IS NOT ${mode} THEN value
				ELSE json_set(value, '$.until', min(coalesce(value ->> '$.until', ${until}), ${until})) END
			FROM json_each(processor_endpoints.sealed_secrets)
			WHERE CASE WHEN type = 'text' THEN 1 ELSE coalesce(value ->> '$.until', ${now} + 1) > ${now} END
			ORDER BY key LIMIT ${KEPT - 1}
		)
	))`;
}
