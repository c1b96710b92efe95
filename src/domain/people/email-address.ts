import { bareHost } from '../bare-host.ts';
import { isErasedAddress } from './erasure.ts';

const LENGTH_LIMIT = 254;

/** Control and format characters, and what is shown as nothing, such as the Hangul filler. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;
/** No white space, and nothing that lists and names of addresses are written with. */
const LOCAL_PART = /^[^\s<>()[\]{}",;:\\@]+$/u;
const DOMAIN = /^[\p{L}\p{N}\p{M}-]+(\.[\p{L}\p{N}\p{M}-]+)+$/u;
/** What an address bar takes for a dot, beside those that NFKC makes one. */
const WIDE_DOTS = /[\u3002\uFF61]/g;

/**
 * An e-mail address as addresses are compared: trimmed, in lower case, by NFKC, so that full-width letters are the plain ones.
 * Undefined for what is none, or looks like another than it is.
 */
export function emailAddressOf(text: string): string | undefined {
	const address = text.trim().normalize('NFKC').toLowerCase();
	const [local = '', sent = '', ...more] = address.split('@');
	const domain = bareHost(sent.replace(WIDE_DOTS, '.'));
	const isPlain = address.isWellFormed() && address.length <= LENGTH_LIMIT && !INVISIBLE.test(address);
	const isOne = isPlain && more.length === 0 && LOCAL_PART.test(local) && DOMAIN.test(domain);
	const normalised = `${local}@${domain}`;
	return isOne && !isErasedAddress(normalised) ? normalised : undefined;
}
