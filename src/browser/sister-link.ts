import { CLICK, type Click } from './click-id.ts';
import { listedAs } from './hosts.ts';

/** Undefined if the URL does not belong to a sister domain. */
export function withClick(
	href: string,
	page: { readonly protocol: string; readonly hostname: string },
	click: Click,
	domains: readonly string[],
): string | undefined {
	const url = URL.canParse(href) ? new URL(href) : undefined;
	// A click is never handed from an HTTPS page to an HTTP one.
	if (!url || (url.protocol !== 'https:' && (url.protocol !== 'http:' || page.protocol !== 'http:'))) return undefined;
	const listed = listedAs(url.hostname, domains);
	if (listed === undefined || listed === listedAs(page.hostname, domains) || url.hostname === page.hostname) return undefined;
	url.searchParams.set('aff', click.partner);
	url.searchParams.set(CLICK, click.id);
	return url.href;
}
