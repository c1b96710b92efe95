import type { AppContext } from './app-env.ts';

// What a request tells of the visitor.

/** Two characters, as the platform gives it; where the platform is not in front, a caller may send anything. */
export function countryOf(c: AppContext): string | null {
	const country = c.req.header('CF-IPCountry') ?? '';
	return /^[A-Z0-9]{2}$/.test(country) ? country : null;
}

/** Null where there is none. */
export function userAgentOf(c: AppContext): string | null {
	return headerOf(c, 'User-Agent', 512);
}

/** A header, cut to its limit, as well-formed text. */
export function headerOf(c: AppContext, name: string, limit: number): string | null {
	return c.req.header(name)?.slice(0, limit).toWellFormed() || null;
}
