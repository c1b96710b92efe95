import { bareHost } from '../bare-host.ts';
import { isErasedAddress } from './erasure.ts';

const LENGTH_LIMIT = 254;

/** Control, format and invisible characters, such as the Hangul filler. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;
const LOCAL_PART = /^[^\s<>()[\]{}",;:\\@]+$/u;
const DOMAIN = /^[\p{L}\p{N}\p{M}-]+(\.[\p{L}\p{N}\p{M}-]+)+$/u;
/** Dot variants that address bars accept but NFKC does not convert. */
const WIDE_DOTS = /[\u3002\uFF61]/g;

/** Trimmed, lower case, NFKC. Undefined if the address is invalid or could pass for another one. */
export function emailAddressOf(text: string): string | undefined {
	const address = text.trim().normalize('NFKC').toLowerCase();
	const [local = '', sent = '', ...more] = address.split('@');
	const domain = bareHost(sent.replace(WIDE_DOTS, '.'));
	const isPlain = address.isWellFormed() && address.length <= LENGTH_LIMIT && !INVISIBLE.test(address);
	const isOne = isPlain && more.length === 0 && LOCAL_PART.test(local) && DOMAIN.test(domain);
	const normalised = `${local}@${domain}`;
	return isOne && !isErasedAddress(normalised) ? normalised : undefined;
}
