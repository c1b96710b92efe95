export const VARIETY = 5;

/** Whether a password is more than a few repeated keys, such as `aaaaaaaaaa`. Ignores letter case. */
export function hasVariety(password: string): boolean {
	return new Set(password.normalize('NFKC').toLowerCase()).size >= VARIETY;
}
