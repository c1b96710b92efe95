import { and, eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { processorEndpoints } from '../db/schema/processor.ts';
import type { AmountBasis } from './stripe/event-reader.ts';

const SealedSecrets = z.array(z.string());

/** How a program's processor is set up. */
export interface Endpoint {
	readonly amountBasis: AmountBasis;
	/** The last characters of each signing secret, to tell them apart; null of one that none of the Worker's secrets opens. */
	readonly secretHints: readonly (string | null)[];
	readonly createdAt: number;
	readonly updatedAt: number;
}

const HINT_LENGTH = 4;

/** Undefined: the program has not connected Stripe. */
export async function findEndpoint(ctx: Context, programId: number): Promise<Endpoint | undefined> {
	const [row] = await ctx.db
		.select({
			sealedSecrets: processorEndpoints.sealedSecrets,
			amountBasis: processorEndpoints.amountBasis,
			createdAt: processorEndpoints.createdAt,
			updatedAt: processorEndpoints.updatedAt,
		})
		.from(processorEndpoints)
		.where(ofProgram(programId));
	if (!row) return undefined;
	const hints = parseSealed(row.sealedSecrets).map((sealed) => ctx.secrets.open(sealed).then(hintOf, () => null));
	return { amountBasis: row.amountBasis, secretHints: await Promise.all(hints), createdAt: row.createdAt, updatedAt: row.updatedAt };
}

function hintOf(secret: string): string {
	return secret.slice(-HINT_LENGTH);
}

export function ofProgram(programId: number) {
	return and(eq(processorEndpoints.programId, programId), eq(processorEndpoints.processor, 'stripe'));
}

export function parseSealed(sealedSecrets: string): string[] {
	return SealedSecrets.parse(JSON.parse(sealedSecrets));
}
