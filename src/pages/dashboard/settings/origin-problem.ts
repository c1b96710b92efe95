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
		return { text: 'A * alone would let any page of the web report clicks and leads. Add the origins of your own pages, one by one.' };
	}
	const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/s.exec(origin) ?? [];
	const host = rest.replace(/[/?#].*$/s, '');
	const meant = normaliseOrigin(
		`${scheme === 'http' || isLocal(host) ? 'http' : 'https'}://${isLocal(host) && !host.includes(':') ? `${host}:*` : host}`,
	);
	if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
		return { text: `Pages come by https:// or http://, not by ${scheme}://.`, meant };
	}
	if (/:\*/.test(host)) {
		return {
			text: 'Any port is for localhost and 127.0.0.1 alone: on other hosts each port may be somebody else\u2019s.',
			meant: normaliseOrigin(origin.replace(/:\*.*$/, '')),
		};
	}
	if (host.includes('*')) {
		return { text: 'A * stands for what is below a domain, and only at its beginning: https://*.shop.example.', meant };
	}
	if (scheme === undefined) return { text: 'An origin begins with https://, or with http:// on your own machine.', meant };
	if (rest !== host) return { text: 'An origin ends with the host: browsers tell no path of a page.', meant };
	return { text: 'This is not a host that a page could come from. An origin looks like https://shop.example.', meant };
}

function isLocal(host: string): boolean {
	return /^(localhost|127\.0\.0\.1)(:|$)/.test(host);
}
