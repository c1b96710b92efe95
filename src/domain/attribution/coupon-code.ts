export const COUPON_CODE_LENGTH = 64;

/** Copied text often contains invisible characters. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** The normalised code: NFKC, without invisible characters, trimmed, upper case. Undefined if the text cannot be a code. */
export function couponCodeOf(text: string): string | undefined {
	const code = text.normalize('NFKC').replace(INVISIBLE, '').trim().toUpperCase().normalize('NFKC');
	return code.length >= 1 && code.length <= COUPON_CODE_LENGTH && /^\P{Cc}*$/u.test(code) && code.isWellFormed() ? code : undefined;
}
