// Sign-in is a page of its own, so the reason is stored until it is read.

const NAME = 'session-ended';

export function keepSessionEnded(): void {
	sessionStorage.setItem(NAME, 'yes');
}

/** True once for each time that it was stored. */
export function hasSessionEnded(): boolean {
	const isKept = sessionStorage.getItem(NAME) !== null;
	sessionStorage.removeItem(NAME);
	return isKept;
}
