import { env } from 'cloudflare:workers';
import { type Context, openContext } from '../../src/context.ts';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { type Click, formatClickId } from '../../src/domain/attribution/click-id.ts';
import { openSecrets } from '../../src/secrets.ts';

// Makes calls and clicks at other times; the HTTP routes only use the current time.

export function daysAgo(days: number): number {
	return Date.now() - days * DAY_MS;
}

export function contextAt(now: number): Context {
	return openContext(env, { waitUntil: () => undefined }, now);
}

let minted = 0;

/**
 * A click id as the Worker would create it; by default now, live and with the newest secret. Unlike random ids, no two of the same instant
 * are equal.
 */
export async function mintClickId(
	referralLinkId: number,
	{ secret = env.SECRETS, ...parts }: Partial<Click> & { secret?: string } = {},
): Promise<string> {
	const click: Click = { referralLinkId, clickedAt: Date.now(), nonce: (minted += 1) % 4096, isTest: false, ...parts };
	return formatClickId(click, await openSecrets(secret).clickMac(click));
}

export async function linkIdOf({ shortLink }: { readonly shortLink: string }): Promise<number> {
	const id = await env.DB.prepare('SELECT id FROM referral_links WHERE short_link = ?').bind(shortLink).first<number>('id');
	if (id === null) throw new Error(`There is no link ${shortLink}`);
	return id;
}
