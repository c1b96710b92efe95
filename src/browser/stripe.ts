import { isClickId } from './click-id.ts';

const REFERENCE = 'client-reference-id';

/** Has Stripe's Payment Links, Buy Buttons and Pricing Tables carry the click id, unless they carry an id of the shop's own. */
export function referToClick(clickId: string | undefined): void {
	for (const link of document.querySelectorAll('a[href*="buy.stripe.com"]')) {
		const href = link.getAttribute('href') ?? '';
		const referring = withReference(href, clickId);
		if (referring !== href) link.setAttribute('href', referring);
	}
	for (const element of document.querySelectorAll('stripe-buy-button, stripe-pricing-table')) {
		const current = element.getAttribute(REFERENCE);
		if (current === clickId || isShopsOwn(current)) continue;
		if (clickId === undefined) element.removeAttribute(REFERENCE);
		else element.setAttribute(REFERENCE, clickId);
	}
}

/** The Payment Link with the click as its `client_reference_id`; any other address as it is. */
export function withReference(href: string, clickId: string | undefined): string {
	const url = URL.canParse(href) ? new URL(href) : undefined;
	if (url?.protocol !== 'https:' || url.hostname !== 'buy.stripe.com') return href;
	const current = url.searchParams.get('client_reference_id');
	if (current === (clickId ?? null) || isShopsOwn(current)) return href;
	if (clickId === undefined) url.searchParams.delete('client_reference_id');
	else url.searchParams.set('client_reference_id', clickId);
	return url.href;
}

function isShopsOwn(reference: string | null): boolean {
	return Boolean(reference) && !isClickId(reference);
}
