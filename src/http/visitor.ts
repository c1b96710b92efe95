import { CLICK_TEXT_BYTES, cutText } from '../domain/cut-text.ts';
import type { AppContext } from './app-env.ts';

// What a request reveals about the visitor.

/** Two letters from the platform. Without the platform in front, callers can send anything. */
export function countryOf(c: AppContext): string | null {
	const country = c.req.header('CF-IPCountry') ?? '';
	return /^[A-Z0-9]{2}$/.test(country) ? country : null;
}

export function userAgentOf(c: AppContext): string | null {
	return headerOf(c, 'User-Agent', CLICK_TEXT_BYTES);
}

/** Cut to its limit in bytes. */
export function headerOf(c: AppContext, name: string, limitBytes: number): string | null {
	return cutText(c.req.header(name) ?? '', limitBytes) || null;
}

export function cookieOf(c: AppContext, name: string): string | undefined {
	const pair = c.req
		.header('Cookie')
		?.split('; ')
		.find((text) => text.startsWith(`${name}=`));
	return pair?.slice(name.length + 1);
}
