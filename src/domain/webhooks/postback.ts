import { decimalText } from '../money.ts';
import { addressProblem } from './webhook-address.ts';

/** `sale`: a sale with a commission, perhaps on hold. `reversed`: a refund or rejection. `reinstated`: a failed refund or won dispute. */
export const POSTBACK_EVENTS = ['lead', 'sale', 'reversed', 'reinstated'] as const;

export type PostbackEvent = (typeof POSTBACK_EVENTS)[number];

export interface PostbackValues {
	readonly click_id: string;
	readonly amount: string;
	readonly currency: string;
	readonly event: PostbackEvent;
	readonly sub_id: string;
}

export const PLACEHOLDERS = ['click_id', 'amount', 'currency', 'event', 'sub_id'] as const satisfies readonly (keyof PostbackValues)[];

const PLACEHOLDER = /\{([^{}]*)\}/g;
/** The scheme and the whole host without placeholders, so that no value can change the receiver. */
const HOST = /^[a-z]+:\/\/[^/?#\\{}]+(?:[/?]|$)/i;

/** What is wrong with a postback's URL. `isAnyTaken` allows private hosts, for local development. */
export function postbackProblem(template: string, isAnyTaken = false): string | undefined {
	for (const [placeholder, name = ''] of template.matchAll(PLACEHOLDER))
		if (!isPlaceholder(name))
			return `url has the unknown placeholder ${placeholder}: there are ${PLACEHOLDERS.map((known) => `{${known}}`).join(', ')}`;
	const bare = template.replaceAll(PLACEHOLDER, 'x');
	if (/[{}]/.test(bare)) return 'url has a { or } that does not belong to a placeholder';
	if (bare.includes('#')) return 'url must not have a #: what follows it is never sent';
	return addressProblem(bare, isAnyTaken) ?? (HOST.test(template) ? undefined : 'url may have placeholders only after the host');
}

function isPlaceholder(name: string): name is keyof PostbackValues {
	return PLACEHOLDERS.some((known) => known === name);
}

export function filledPostback(template: string, values: PostbackValues): string {
	const [path = ''] = template.split('?', 1);
	return template.replaceAll(PLACEHOLDER, (text, name: string, at: number) => {
		if (!isPlaceholder(name)) return text;
		// A path segment of only dots would change the path, even if it is encoded.
		return at < path.length && /^\.+$/.test(values[name]) ? '' : encodeURIComponent(values[name]);
	});
}

/** `{amount}` in major units of `{currency}` with all decimals: 1990 USD is `19.90`. */
export function amountText(cents: number, currency: string): string {
	return decimalText(cents, currency);
}
