import { CLICK, type Click, clickedAt, isClickId } from './click-id.ts';
import { forgetClick, PARTNER, probeDomain, readCookies, writeClick } from './cookies.ts';
import { isWithin } from './hosts.ts';
import { ownOf } from './own-document.ts';
import { send } from './send.ts';
import { base, domains, settings } from './settings.ts';
import { HOUR_MS } from './times.ts';

/**
 * An arrival through a partner's link. `handedOver` is the click id that a redirect or sister domain passed on. `url` lacks the query,
 * which may contain the shop's data.
 */
type Landing = readonly [partner: string, handedOver: string | undefined, url: string, subId: string | null];

/** Keeps the click while the page is open, if cookies are blocked. */
let memory: Click | undefined;
let landing: Landing | undefined;
/** The partner of the last arrival, so that each arrival is reported once. */
let seen: string | undefined;
let cookieDomain = settings['cookieDomain'];

export function currentClick(): Click | undefined {
	const id = readCookies(CLICK).find(isClickId);
	return id ? { id, partner: readCookies(PARTNER).join() } : memory;
}

/** Notes an arrival, and removes a handed-over id from the URL, because people share URLs. */
export function noticeLanding(): void {
	const query = new URLSearchParams(location.search);
	const handedOver = query.get(CLICK);
	const partner = query.get('aff') ?? '';
	// Only the format of a short_link is accepted, because the value is stored in a cookie.
	if (/^[\w-]{1,64}$/.test(partner) && (partner !== seen || handedOver)) {
		seen = partner;
		landing = [partner, trusted(handedOver), location.origin + location.pathname, query.get('sub_id')];
	}
	const plain = location.href.replace(/&?\btracker_click_id=[^&#]*/g, '');
	// The script reacts to history changes, so it replaces the URL only if it differs.
	if (handedOver && plain !== location.href) history.replaceState(history.state, '', plain);
}

/** A redirect hands over a new click. Older clicks are accepted only from sister domains. */
function trusted(clickId: string | null): string | undefined {
	if (!isClickId(clickId)) return undefined;
	const [, referrer = ''] = ownOf('referrer').split(/[/:]+/);
	if (Math.abs(Date.now() - clickedAt(clickId)) < HOUR_MS || domains.some((domain) => isWithin(referrer, domain))) return clickId;
	return undefined;
}

/** Reports the arrival and keeps its click, unless the visitor already has this partner's click or a newer one. */
export async function reportLanding(isAllowed: () => boolean): Promise<void> {
	if (!landing || !isAllowed()) return;
	const [partner, handedOver, url, subId] = landing;
	landing = undefined;
	const known = currentClick();
	if (known && (handedOver ? clickedAt(handedOver) <= clickedAt(known.id) : partner === known.partner)) return;

	cookieDomain ??= probeDomain();
	// A page framed by another site cannot store a click, so it does not count as an arrival.
	if (!cookieDomain && self !== top) return;
	const isOwnSite = isWithin(base.hostname, cookieDomain);
	// Stored before the service confirms it, because the visitor may leave first.
	if (!known && handedOver) keep({ id: handedOver, partner }, 1);
	const answer = await send(
		'click',
		{
			affiliate_url: `${url}?aff=${partner}`,
			existing_click_id: handedOver ?? known?.id,
			cookie_domain: isOwnSite ? cookieDomain : undefined,
			page_url: url,
			sub_id: subId,
			referrer_url: ownOf('referrer'),
		},
		isOwnSite,
	);
	if (!isAllowed()) forget();
	else if (isClickId(answer.click_id)) keep({ id: answer.click_id, partner }, answer.cookie_window_days ?? 1, answer.cookie_set);
}

/** Keeps a cookie that the response has set, because some browsers keep that one longer. */
function keep(click: Click, days: number, isSet?: true): void {
	memory = click;
	if (!isSet || readCookies(CLICK).join() !== click.id) writeClick(click, cookieDomain ?? '', days);
}

export function forget(): void {
	memory = undefined;
	forgetClick();
}
