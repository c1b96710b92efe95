/** So many different characters a new password has at least. */
export const VARIETY = 5;

/** Whether a password is more than a few keys hit again and again, such as `aaaaaaaaaa`. Letter case makes no difference. */
export function hasVariety(password: string): boolean {
	return new Set(password.normalize('NFKC').toLowerCase()).size >= VARIETY;
}
