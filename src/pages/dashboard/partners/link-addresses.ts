import { destinationOf, landingPage } from '../../../domain/landing-page.ts';

/** Of the service itself: it counts the click and sends the visitor on. */
export function shortUrlOf(shortLink: string): string {
	return new URL(`/r/${shortLink}`, window.location.href).href;
}

/** The page itself, whose script counts the click; none where neither link nor program says which. */
export function pageUrlOf(link: { readonly short_link: string; readonly destination_url: string | null }, domain: string | null) {
	const page = destinationOf({ destinationUrl: link.destination_url, domain });
	return page && landingPage(page, link.short_link, undefined, []);
}
