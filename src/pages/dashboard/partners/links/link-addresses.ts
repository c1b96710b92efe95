import { destinationOf, landingPage } from '../../../../domain/attribution/landing-page.ts';

/** The service's short URL, which counts the click and redirects. */
export function shortUrlOf(shortLink: string): string {
	return new URL(`/r/${shortLink}`, window.location.href).href;
}

/** A script of the landing page counts the click. Undefined without a destination. */
export function pageUrlOf(link: { readonly short_link: string; readonly destination_url: string | null }, domain: string | null) {
	const page = destinationOf({ destinationUrl: link.destination_url, domain });
	return page && landingPage(page, link.short_link, undefined, []);
}

/** A script of the page counts the click. Undefined if the text is not a page of the domain. */
export function deepLinkOf(page: string, shortLink: string, domain: string): string | undefined {
	const url = URL.parse(page.trim());
	const isOfDomain = url?.host === domain || url?.hostname === domain || url?.hostname.endsWith(`.${domain}`) === true;
	return url && isOfDomain && /^https?:$/.test(url.protocol) ? landingPage(url, shortLink, undefined, []) : undefined;
}
