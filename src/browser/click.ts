import { CLICK, type Click, clickedAt, isClickId } from './click-id.ts';
import { forgetClick, PARTNER, probeDomain, readCookies, writeClick } from './cookies.ts';
import { isWithin } from './hosts.ts';
import { ownOf } from './own-document.ts';
import { send } from './send.ts';
import { base, domains, settings } from './settings.ts';
import { HOUR_MS } from './times.ts';

/**
 * An arrival by a partner's link: with the click's id, where a redirect or a sister domain has it, the page's address
 * without its query, which is the shop's own affair, and what the partner put into the link.
 */
type Landing = readonly [partner: string, handedOver: string | undefined, url: string, subId: string | null];

/** Holds where cookies are blocked: for the life of the page. */
let memory: Click | undefined;
let landing: Landing | undefined;
/** The partner of the last arrival: one attempt for each. */
let seen: string | undefined;
let cookieDomain = settings['cookieDomain'];

/** The visitor's click, if there is one. */
export function currentClick(): Click | undefined {
	const id = readCookies(CLICK).find(isClickId);
	return id ? { id, partner: readCookies(PARTNER).join() } : memory;
}

/** Notes an arrival by the page's address, and takes a handed-over id out of the address: addresses get shared. */
export function noticeLanding(): void {
	const query = new URLSearchParams(location.search);
	const handedOver = query.get(CLICK);
	const partner = query.get('aff') ?? '';
	// The form of every short_link: it goes into a cookie.
	if (/^[\w-]{1,64}$/.test(partner) && (partner !== seen || handedOver)) {
		seen = partner;
		landing = [partner, trusted(handedOver), location.origin + location.pathname, query.get('sub_id')];
	}
	const plain = location.href.replace(/&?\btracker_click_id=[^&#]*/g, '');
	// The script follows the history, so what changes nothing would come back here for ever.
	if (handedOver && plain !== location.href) history.replaceState(history.state, '', plain);
}

/** A redirect hands over a click of this moment; an older one is taken from a sister domain only. */
function trusted(clickId: string | null): string | undefined {
	if (!isClickId(clickId)) return undefined;
	const [, referrer = ''] = ownOf('referrer').split(/[/:]+/);
	if (Math.abs(Date.now() - clickedAt(clickId)) < HOUR_MS || domains.some((domain) => isWithin(referrer, domain))) return clickId;
	return undefined;
}

/** Reports the arrival that was noted, unless the visitor came by this partner before, and keeps the click that it makes. */
export async function reportLanding(isAllowed: () => boolean): Promise<void> {
	if (!landing || !isAllowed()) return;
	const [partner, handedOver, url, subId] = landing;
	landing = undefined;
	const known = currentClick();
	if (known && (handedOver ? clickedAt(handedOver) <= clickedAt(known.id) : partner === known.partner)) return;

	cookieDomain ??= probeDomain();
	// A frame of another site, where no click can be kept: nobody came here.
	if (!cookieDomain && self !== top) return;
	const isOwnSite = isWithin(base.hostname, cookieDomain);
	// Kept before the service has confirmed it, where there is nothing to lose: the visitor may be gone by then.
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

/** A cookie that the answer has set stays as it is: some browsers let it live longer than one of a script. */
function keep(click: Click, days: number, isSet?: true): void {
	memory = click;
	if (!isSet || readCookies(CLICK).join() !== click.id) writeClick(click, cookieDomain ?? '', days);
}

/** Forgets the visitor's click. */
export function forget(): void {
	memory = undefined;
	forgetClick();
}
