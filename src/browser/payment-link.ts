import { isClickId } from './click-id.ts';

/** Adds the click to a Payment Link as its `client_reference_id`; leaves any other URL unchanged. */
export function withReference(href: string, clickId: string | undefined): string {
	const url = URL.canParse(href) ? new URL(href) : undefined;
	if (url?.protocol !== 'https:' || url.hostname !== 'buy.stripe.com') return href;
	const current = url.searchParams.get('client_reference_id');
	if (current === (clickId ?? null) || isShopsOwn(current)) return href;
	if (clickId === undefined) url.searchParams.delete('client_reference_id');
	else url.searchParams.set('client_reference_id', clickId);
	return url.href;
}

/** Whether the reference is the shop's, such as an order number, and so must not be replaced. */
export function isShopsOwn(reference: string | null): boolean {
	return Boolean(reference) && !isClickId(reference);
}
