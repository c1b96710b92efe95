import type { Context } from '../context.ts';
import { violates } from '../db/client.ts';
import { conflict } from '../domain/rejection.ts';

/** Omits 0, 1, I, O and l, which look alike. A random byte selects one of 32 characters without bias. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 8;
/** Two collisions in a row among 32^8 values mean that something else is wrong. */
const TRIES = 3;

/** Stores the requested short_link, or random ones until one is free. Rejects with 409 if any program uses the requested one. */
export async function withShortLink<Result>(
	ctx: Context,
	wanted: string | undefined,
	write: (shortLink: string) => Promise<Result>,
): Promise<Result> {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await write(wanted ?? newShortLink());
		} catch (error) {
			if (!violates(error, 'referral_links.short_link')) throw error;
			if (wanted !== undefined) throw conflict(`short_link ${wanted} is taken`);
			if (attempt === TRIES) throw error;
			ctx.log({ level: 'info', event: 'short_link_collision', attempt });
		}
	}
}

export function newShortLink(): string {
	return Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}
