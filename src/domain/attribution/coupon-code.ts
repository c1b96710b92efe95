export const COUPON_CODE_LENGTH = 64;

/** What nobody sees, and so nobody types: it comes with text that was copied. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** A code as codes are compared: by NFKC, without invisible characters, trimmed, in upper case. Undefined for what can be none. */
export function couponCodeOf(text: string): string | undefined {
	const code = text.normalize('NFKC').replace(INVISIBLE, '').trim().toUpperCase().normalize('NFKC');
	return code.length >= 1 && code.length <= COUPON_CODE_LENGTH && /^\P{Cc}*$/u.test(code) && code.isWellFormed() ? code : undefined;
}
