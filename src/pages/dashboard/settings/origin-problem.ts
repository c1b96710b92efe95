import { normaliseOrigin } from '../../../domain/origin.ts';

export interface OriginProblem {
	readonly text: string;
	/** The origin that was probably intended. */
	readonly meant?: string | undefined;
}

/** Why a text is not a valid allowed origin; undefined if it is valid. */
export function originProblem(text: string): OriginProblem | undefined {
	const origin = text.trim().toLowerCase();
	if (normaliseOrigin(origin) !== undefined) return undefined;
	if (origin === '*' || /^https?:\/\/\*\/?$/.test(origin)) {
		return { text: 'A * alone would let any page on the web report clicks and leads. Add the origins of your own pages one by one.' };
	}
	const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/s.exec(origin) ?? [];
	const host = rest.replace(/[/?#].*$/s, '');
	const meant = normaliseOrigin(
		`${scheme === 'http' || isLocal(host) ? 'http' : 'https'}://${isLocal(host) && !host.includes(':') ? `${host}:*` : host}`,
	);
	if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
		return { text: `Use https:// or http:// instead of ${scheme}://.`, meant };
	}
	if (/:\*/.test(host)) {
		return {
			text: 'Use :* for any port only with localhost and 127.0.0.1. On other hosts, another port may belong to someone else.',
			meant: normaliseOrigin(origin.replace(/:\*.*$/, '')),
		};
	}
	if (host.includes('*')) {
		return { text: 'Use * only at the beginning, for all subdomains: https://*.shop.example.', meant };
	}
	if (scheme === undefined) return { text: 'Begin the origin with https://, or with http:// on your own machine.', meant };
	if (rest !== host) return { text: 'Remove everything after the host. Browsers send an origin without a path.', meant };
	return { text: 'This is not a valid host. Enter an origin such as https://shop.example.', meant };
}

function isLocal(host: string): boolean {
	return /^(localhost|127\.0\.0\.1)(:|$)/.test(host);
}
