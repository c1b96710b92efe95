// Signing in loads another page, so the reason is stored until that page reads it.

const NAME = 'session-ended';

export function keepSessionEnded(): void {
	sessionStorage.setItem(NAME, 'yes');
}

/** Returns true only once after each time it was stored. */
export function hasSessionEnded(): boolean {
	const isKept = sessionStorage.getItem(NAME) !== null;
	sessionStorage.removeItem(NAME);
	return isKept;
}
