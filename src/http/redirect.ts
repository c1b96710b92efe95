import { Hono } from 'hono';
import { bareHost } from '../domain/bare-host.ts';
import { CLICK_COOKIE, clickCookies } from '../domain/attribution/click-cookie.ts';
import { CLICK_TEXT_BYTES, cutText } from '../domain/cut-text.ts';
import { keptAddress } from '../domain/attribution/kept-address.ts';
import { followLink } from '../clicks/follow-link.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { loggedAs } from './event-log.ts';
import { clientNetwork, requireWithinLimit } from './limits.ts';
import { cookieOf, countryOf, headerOf, userAgentOf } from './visitor.ts';

/** GET /r/:short_link records the click and redirects with its id in the query. */
export const redirect = new Hono<AppEnv>();

redirect.get('/:short_link', loggedAs('click'), async (c) => {
	await requireWithinLimit(c.env.BROWSER_LIMIT, await clientNetwork(c));
	const url = new URL(c.req.url);
	const { location, click, ownDomain } = await followLink(c.get('ctx'), {
		shortLink: c.req.param('short_link'),
		query: url.searchParams,
		place: { host: bareHost(url.hostname), forwardedHost: forwardedHostOf(c) },
		isVisit: isVisit(c),
		// Sent if the link is on the shop's own domain.
		existingClickId: cookieOf(c, CLICK_COOKIE),
		page: {
			pageUrl: null,
			pageTitle: null,
			referrerUrl: cutText(keptAddress(c.req.header('Referer') ?? ''), CLICK_TEXT_BYTES) || null,
			sessionId: null,
			userAgent: userAgentOf(c),
			language: cutText(headerOf(c, 'Accept-Language', 256)?.split(/[,;]/)[0] ?? '', 35) || null,
			timezone: null,
			country: countryOf(c),
		},
	});
	c.header('Cache-Control', 'no-store');
	c.header('X-Robots-Tag', 'noindex');
	if (click && ownDomain !== undefined) {
		const scope = { domain: ownDomain, isSecure: url.protocol === 'https:' };
		for (const cookie of clickCookies(click, scope)) c.header('Set-Cookie', cookie, { append: true });
	}
	return c.redirect(location);
});

/**
 * Whether a person opens the link, rather than a prefetch, image or frame. Clicks with Global Privacy Control are not recorded, because the
 * script would not record them either.
 */
function isVisit(c: AppContext): boolean {
	const isPrefetch = /prefetch|preview/i.test(`${c.req.header('Sec-Purpose')} ${c.req.header('Purpose')} ${c.req.header('X-Moz')}`);
	const isPage = (c.req.header('Sec-Fetch-Dest') ?? 'document') === 'document';
	return c.req.method === 'GET' && isPage && !isPrefetch && c.req.header('Sec-GPC') !== '1';
}

/** The host that was requested from a reverse proxy. If it is forged, the browser rejects the cookie. */
function forwardedHostOf(c: AppContext): string | undefined {
	return bareHost(c.req.header('X-Forwarded-Host')?.split(/[,:]/)[0]?.trim().toLowerCase() ?? '') || undefined;
}
