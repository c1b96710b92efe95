// Signing in loads another page, so the reason is stored until that page reads it.

const NAME = 'session-ended';

export function keepSessionEnded(): void {
	sessionStorage.setItem(NAME, 'yes');
}

/** True only once per stored reason. */
export function hasSessionEnded(): boolean {
	const isKept = sessionStorage.getItem(NAME) !== null;
	sessionStorage.removeItem(NAME);
	return isKept;
}
