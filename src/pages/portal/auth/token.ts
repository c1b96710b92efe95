import { useState } from 'react';

/** The token follows the #, so that no server and no other site sees it. */
export function useToken(): string | undefined {
	const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? undefined);
	return token;
}

/** The browser's history must not keep the used token. */
export function forgetToken(): void {
	window.history.replaceState(window.history.state, '', window.location.pathname);
}
