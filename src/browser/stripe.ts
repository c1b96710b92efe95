import { findAll } from './own-document.ts';
import { isShopsOwn, withReference } from './payment-link.ts';

const REFERENCE = 'client-reference-id';

/** Adds the click to Stripe's Payment Links, Buy Buttons and Pricing Tables, unless they carry the shop's own reference. */
export function referToClick(clickId: string | undefined): void {
	for (const link of findAll('a[href*="buy.stripe.com"]')) {
		const href = link.getAttribute('href') ?? '';
		const referring = withReference(href, clickId);
		if (referring !== href) link.setAttribute('href', referring);
	}
	for (const element of findAll('stripe-buy-button, stripe-pricing-table')) {
		const current = element.getAttribute(REFERENCE);
		if (current === clickId || isShopsOwn(current)) continue;
		if (clickId === undefined) element.removeAttribute(REFERENCE);
		else element.setAttribute(REFERENCE, clickId);
	}
}
