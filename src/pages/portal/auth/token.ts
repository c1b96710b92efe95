import { useState } from 'react';

/** The token of a link, after the #: no server and no other site sees it. */
export function useToken(): string | undefined {
	const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? undefined);
	return token;
}

/** Removes a used token from the browser's history. */
export function forgetToken(): void {
	window.history.replaceState(window.history.state, '', window.location.pathname);
}
