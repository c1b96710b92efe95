import type { Context } from '../context.ts';
import { type Click, formatClickId, NONCE_LIMIT } from '../domain/attribution/click-id.ts';

export async function mintClickId(ctx: Context, of: Omit<Click, 'nonce'>): Promise<string> {
	const click: Click = { ...of, nonce: nextNonce() };
	return formatClickId(click, await ctx.secrets.clickMac(click));
}

let lastNonce: number | undefined;

/** Counts from a random start, so that an isolate never repeats itself within a millisecond. */
function nextNonce(): number {
	lastNonce = ((lastNonce ?? crypto.getRandomValues(new Uint16Array(1))[0] ?? 0) + 1) % NONCE_LIMIT;
	return lastNonce;
}
