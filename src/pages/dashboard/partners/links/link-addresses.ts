import { destinationOf, landingPage } from '../../../../domain/attribution/landing-page.ts';

/** The address at the service, which counts the click and redirects. */
export function shortUrlOf(shortLink: string): string {
	return new URL(`/r/${shortLink}`, window.location.href).href;
}

/** The landing page, whose script counts the click; undefined without a destination. */
export function pageUrlOf(link: { readonly short_link: string; readonly destination_url: string | null }, domain: string | null) {
	const page = destinationOf({ destinationUrl: link.destination_url, domain });
	return page && landingPage(page, link.short_link, undefined, []);
}

/** A page of the domain with the link's code, whose script counts the click; undefined if the text is no such page. */
export function deepLinkOf(page: string, shortLink: string, domain: string): string | undefined {
	const url = URL.parse(page.trim());
	const isOfDomain = url?.host === domain || url?.hostname === domain || url?.hostname.endsWith(`.${domain}`) === true;
	return url && isOfDomain && /^https?:$/.test(url.protocol) ? landingPage(url, shortLink, undefined, []) : undefined;
}
