import { useState } from 'react';

/** The token of a link, which stands behind the #: no server and no other site gets to see it. */
export function useToken(): string | undefined {
	const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? undefined);
	return token;
}

/** The link is used up: nobody who looks at this browser later needs it. */
export function forgetToken(): void {
	window.history.replaceState(window.history.state, '', window.location.pathname);
}
