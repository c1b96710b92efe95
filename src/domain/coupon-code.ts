export const COUPON_CODE_LENGTH = 64;

/** A code as codes are compared: trimmed, in upper case. Undefined for what can be none. */
export function couponCodeOf(text: string): string | undefined {
	const code = text.trim().normalize('NFC').toUpperCase();
	return code.length >= 1 && code.length <= COUPON_CODE_LENGTH && /^\P{Cc}*$/u.test(code) && code.isWellFormed() ? code : undefined;
}
