import { destinationOf, landingPage } from '../../../../domain/attribution/landing-page.ts';

/** Of the service itself: it counts the click and sends the visitor on. */
export function shortUrlOf(shortLink: string): string {
	return new URL(`/r/${shortLink}`, window.location.href).href;
}

/** The page itself, whose script counts the click; none where neither link nor program says which. */
export function pageUrlOf(link: { readonly short_link: string; readonly destination_url: string | null }, domain: string | null) {
	const page = destinationOf({ destinationUrl: link.destination_url, domain });
	return page && landingPage(page, link.short_link, undefined, []);
}

/** A page of the domain with the link's mark, whose script counts the click; undefined for what is no page of it. */
export function deepLinkOf(page: string, shortLink: string, domain: string): string | undefined {
	const url = URL.parse(page.trim());
	const isOfDomain = url?.host === domain || url?.hostname === domain || url?.hostname.endsWith(`.${domain}`) === true;
	return url && isOfDomain && /^https?:$/.test(url.protocol) ? landingPage(url, shortLink, undefined, []) : undefined;
}
