import { CLICK, type Click, clickedAt, isClickId } from './click-id.ts';
import { forgetClick, PARTNER, probeDomain, readCookies, writeClick } from './cookies.ts';
import { isWithin } from './hosts.ts';
import { ownOf } from './own-document.ts';
import { send } from './send.ts';
import { base, domains, settings } from './settings.ts';
import { HOUR_MS } from './times.ts';

/**
 * An arrival by a partner's link: the click id, if a redirect or a sister domain handed one over; the address without its query, which
 * belongs to the shop; and the partner's own sub_id.
 */
type Landing = readonly [partner: string, handedOver: string | undefined, url: string, subId: string | null];

/** Keeps the click while the page lives, if cookies are blocked. */
let memory: Click | undefined;
let landing: Landing | undefined;
/** The partner of the last arrival, so that each is tried once. */
let seen: string | undefined;
let cookieDomain = settings['cookieDomain'];

/** The visitor's click, if there is one. */
export function currentClick(): Click | undefined {
	const id = readCookies(CLICK).find(isClickId);
	return id ? { id, partner: readCookies(PARTNER).join() } : memory;
}

/** Notes an arrival, and removes a handed-over id from the address, because people share addresses. */
export function noticeLanding(): void {
	const query = new URLSearchParams(location.search);
	const handedOver = query.get(CLICK);
	const partner = query.get('aff') ?? '';
	// The form of every short_link, as it is stored in a cookie.
	if (/^[\w-]{1,64}$/.test(partner) && (partner !== seen || handedOver)) {
		seen = partner;
		landing = [partner, trusted(handedOver), location.origin + location.pathname, query.get('sub_id')];
	}
	const plain = location.href.replace(/&?\btracker_click_id=[^&#]*/g, '');
	// The script follows history changes, so it changes the address only if needed.
	if (handedOver && plain !== location.href) history.replaceState(history.state, '', plain);
}

/** A redirect hands over a click of this moment. Older ones are accepted from sister domains only. */
function trusted(clickId: string | null): string | undefined {
	if (!isClickId(clickId)) return undefined;
	const [, referrer = ''] = ownOf('referrer').split(/[/:]+/);
	if (Math.abs(Date.now() - clickedAt(clickId)) < HOUR_MS || domains.some((domain) => isWithin(referrer, domain))) return clickId;
	return undefined;
}

/** Reports the arrival and keeps its click, unless the visitor has already come by this partner. */
export async function reportLanding(isAllowed: () => boolean): Promise<void> {
	if (!landing || !isAllowed()) return;
	const [partner, handedOver, url, subId] = landing;
	landing = undefined;
	const known = currentClick();
	if (known && (handedOver ? clickedAt(handedOver) <= clickedAt(known.id) : partner === known.partner)) return;

	cookieDomain ??= probeDomain();
	// A frame of another site cannot keep a click, so nobody has arrived here.
	if (!cookieDomain && self !== top) return;
	const isOwnSite = isWithin(base.hostname, cookieDomain);
	// Kept before the service confirms it, because the visitor may leave first.
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

/** Does not overwrite a cookie that the answer has set: some browsers keep that one longer. */
function keep(click: Click, days: number, isSet?: true): void {
	memory = click;
	if (!isSet || readCookies(CLICK).join() !== click.id) writeClick(click, cookieDomain ?? '', days);
}

export function forget(): void {
	memory = undefined;
	forgetClick();
}
