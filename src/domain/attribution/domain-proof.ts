import { bareDomain, isName } from './own-domain.ts';

// A domain is proved by a line in this file or in a TXT record.

const FILE = '/.well-known/affiliate-tracker.txt';
const RECORD = '_affiliate-tracker';
const RESOLVER = 'https://cloudflare-dns.com/dns-query';
const TXT = 16;

/** Private or unresolvable names (RFC 6761, 6762, 8375, and routers'). */
const PRIVATE = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'private', 'test', 'invalid', 'onion', 'arpa'];

export interface ProofPlaces {
	readonly fileUrl: string;
	readonly recordName: string;
	/** Queries the TXT records over HTTPS, as JSON. */
	readonly resolverUrl: string;
}

/** Undefined if the name cannot be a public domain. */
export function proofPlaces(domain: string): ProofPlaces | undefined {
	const bare = bareDomain(domain);
	const labels = bare.split('.');
	if (labels.length < 2 || !isName(bare) || PRIVATE.includes(labels.at(-1) ?? '')) return undefined;
	const recordName = `${RECORD}.${bare}`;
	return { fileUrl: `https://${bare}${FILE}`, recordName, resolverUrl: `${RESOLVER}?name=${recordName}&type=TXT` };
}

/** The target of the file's redirect, if allowed: `shop.example` may redirect only to `www.shop.example`. */
export function fileRedirect(domain: string, from: string, location: string | null): string | undefined {
	const next = location === null ? null : URL.parse(location, from);
	const bare = bareDomain(domain);
	const isOurs = next?.protocol === 'https:' && [bare, `www.${bare}`].includes(next.hostname) && next.port === '';
	return isOurs && next.pathname === FILE && next.username === '' && next.password === '' ? `https://${next.hostname}${FILE}` : undefined;
}

/** A file may hold the proofs of several programs. */
export function holdsProof(lines: readonly string[], proofs: readonly string[]): boolean {
	return lines.some((line) => proofs.includes(line.trim()));
}

/** Joins the quoted strings of each TXT record in a resolver's JSON. */
export function txtRecords(json: string): string[] {
	const answers = answersIn(parseJson(json));
	return answers.flatMap((answer) => {
		if (typeof answer !== 'object' || answer === null || !('type' in answer) || !('data' in answer)) return [];
		if (answer.type !== TXT || typeof answer.data !== 'string') return [];
		return [
			answer.data.startsWith('"') ? [...answer.data.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, piece]) => piece).join('') : answer.data,
		];
	});
}

function answersIn(value: unknown): readonly unknown[] {
	return typeof value === 'object' && value !== null && 'Answer' in value && Array.isArray(value.Answer) ? value.Answer : [];
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
