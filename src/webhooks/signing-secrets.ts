import * as z from 'zod/mini';
import type { Context } from '../context.ts';

const PREFIX = 'whsec_';
/** Standard Webhooks recommends this length. */
const SECRET_BYTES = 32;

export function makeSecret(): string {
	return `${PREFIX}${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;
}

/** Only its program can decrypt it. */
export async function sealSecret(ctx: Context, programId: number, secret: string): Promise<string> {
	return ctx.secrets.seal(secret, boundTo(programId));
}

const Stored = z.array(z.object({ sealed: z.string(), until: z.optional(z.number()) }));

/** Newest first. A replaced secret has an end. */
export function storedSecrets(sealedSecrets: string): z.infer<typeof Stored> {
	return Stored.parse(JSON.parse(sealedSecrets));
}

/** The valid secrets, newest first; two during an overlap. */
export async function openSecrets(ctx: Context, programId: number, sealedSecrets: string): Promise<string[]> {
	const counting = storedSecrets(sealedSecrets).filter(({ until }) => until === undefined || until > ctx.now);
	return Promise.all(counting.map(({ sealed }) => ctx.secrets.open(sealed, boundTo(programId))));
}

function boundTo(programId: number): string {
	return `webhook_endpoints ${programId}`;
}

/** Headers of Standard Webhooks (https://www.standardwebhooks.com), with one signature per secret. */
export async function signedHeaders(
	{ id, body, now }: { readonly id: string; readonly body: string; readonly now: number },
	secrets: readonly string[],
): Promise<Record<string, string>> {
	const seconds = String(Math.floor(now / 1000));
	const signed = `${id}.${seconds}.${body}`;
	const signatures = await Promise.all(secrets.map(async (secret) => `v1,${await macOf(secret, signed)}`));
	return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') };
}

async function macOf(secret: string, text: string): Promise<string> {
	const raw = Uint8Array.from(atob(secret.slice(PREFIX.length)), (character) => character.charCodeAt(0));
	const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
	return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)))));
}
