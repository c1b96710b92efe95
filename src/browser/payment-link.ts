import { isClickId } from './click-id.ts';

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

/** An order number or the like: it is not ours to replace. */
export function isShopsOwn(reference: string | null): boolean {
	return Boolean(reference) && !isClickId(reference);
}
