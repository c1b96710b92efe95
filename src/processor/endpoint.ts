import { and, eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context, SigningSecret } from '../context.ts';
import { processorEndpoints } from '../db/schema/processor.ts';
import type { AmountBasis } from './processor.ts';

const Marked = z.object({ sealed: z.string(), isTest: z.optional(z.boolean()), until: z.optional(z.number()) });
const SealedSecrets = z.array(z.union([z.string(), Marked]));

export interface Endpoint {
	readonly amountBasis: AmountBasis;
	readonly secrets: readonly SecretHint[];
	readonly createdAt: number;
	readonly updatedAt: number;
}

export interface SecretHint extends Omit<SigningSecret, 'secret'> {
	/** The secret's last characters; null if no Worker secret decrypts it. */
	readonly hint: string | null;
}

const HINT_LENGTH = 4;

/** Undefined if the program has not connected that processor. */
export async function findEndpoint(ctx: Context, programId: number, processor: string): Promise<Endpoint | undefined> {
	const [row] = await selectEndpoints(ctx).where(ofProcessor(programId, processor));
	return row && endpointOf(ctx, row);
}

/** Keyed by the processor's name. One trip. */
export async function listEndpoints(ctx: Context, programId: number): Promise<ReadonlyMap<string, Endpoint>> {
	const rows = await selectEndpoints(ctx).where(eq(processorEndpoints.programId, programId));
	return new Map(await Promise.all(rows.map(async (row) => [row.processor, await endpointOf(ctx, row)] as const)));
}

function selectEndpoints(ctx: Context) {
	return ctx.db
		.select({
			processor: processorEndpoints.processor,
			sealedSecrets: processorEndpoints.sealedSecrets,
			amountBasis: processorEndpoints.amountBasis,
			createdAt: processorEndpoints.createdAt,
			updatedAt: processorEndpoints.updatedAt,
		})
		.from(processorEndpoints);
}

type Row = Awaited<ReturnType<typeof selectEndpoints>>[number];

async function endpointOf(ctx: Context, { sealedSecrets, amountBasis, createdAt, updatedAt }: Row): Promise<Endpoint> {
	const hints = parseSealed(sealedSecrets)
		.filter((secret) => isInForce(secret, ctx.now))
		.map(async ({ sealed, ...marks }) => ({ ...marks, hint: await ctx.secrets.open(sealed).then(hintOf, () => null) }));
	return { amountBasis, secrets: await Promise.all(hints), createdAt, updatedAt };
}

function hintOf(secret: string): string {
	return secret.slice(-HINT_LENGTH);
}

export function ofProcessor(programId: number, processor: string) {
	return and(eq(processorEndpoints.programId, programId), eq(processorEndpoints.processor, processor));
}

export interface SealedSecret extends Omit<SigningSecret, 'secret'> {
	readonly sealed: string;
}

export function parseSealed(sealedSecrets: string): SealedSecret[] {
	return SealedSecrets.parse(JSON.parse(sealedSecrets)).map((stored) =>
		typeof stored === 'string'
			? { sealed: stored, isTest: undefined, until: undefined }
			: { sealed: stored.sealed, isTest: stored.isTest, until: stored.until },
	);
}

export function storedSecrets(secrets: readonly SealedSecret[]): string {
	return JSON.stringify(secrets.map((one) => (one.isTest === undefined && one.until === undefined ? one.sealed : one)));
}

export function isInForce({ until }: Pick<SigningSecret, 'until'>, now: number): boolean {
	return until === undefined || now < until;
}
