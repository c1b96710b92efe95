import { isClickId } from './click-id.ts';

/** Adds the click to a Payment Link as its `client_reference_id`; leaves any other address alone. */
export function withReference(href: string, clickId: string | undefined): string {
	const url = URL.canParse(href) ? new URL(href) : undefined;
	if (url?.protocol !== 'https:' || url.hostname !== 'buy.stripe.com') return href;
	const current = url.searchParams.get('client_reference_id');
	if (current === (clickId ?? null) || isShopsOwn(current)) return href;
	if (clickId === undefined) url.searchParams.delete('client_reference_id');
	else url.searchParams.set('client_reference_id', clickId);
	return url.href;
}

/** The shop's own reference, such as an order number, is not ours to replace. */
export function isShopsOwn(reference: string | null): boolean {
	return Boolean(reference) && !isClickId(reference);
}
