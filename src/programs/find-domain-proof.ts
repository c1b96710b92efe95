import type { Context } from '../context.ts';
import { fileRedirect, holdsProof, type ProofPlaces, txtRecords } from '../domain/attribution/domain-proof.ts';

/** For both lookups together. */
const TIMEOUT_MS = 5_000;
const REDIRECTS = 2;
/** Longer responses count as empty. */
const ANSWER_LIMIT_BYTES = 16 * 1024;

/**
 * Whether the domain's file or a DNS record has a proof. Fetches only public names over HTTPS, and follows redirects only within the
 * domain.
 */
export async function findDomainProof(ctx: Context, domain: string, places: ProofPlaces, proofs: readonly string[]): Promise<boolean> {
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	const [file, records] = await Promise.all([
		readFile(ctx, domain, places.fileUrl, signal).catch(nothing),
		ask(ctx, places.resolverUrl, 'application/dns-json', signal).then(readText).catch(nothing),
	]);
	return holdsProof([...file.split('\n'), ...txtRecords(records)], proofs);
}

/** An unreadable response proves nothing. */
function nothing(): string {
	return '';
}

async function readFile(ctx: Context, domain: string, fileUrl: string, signal: AbortSignal): Promise<string> {
	let url = fileUrl;
	for (let redirects = 0; redirects <= REDIRECTS; redirects += 1) {
		const response = await ask(ctx, url, 'text/plain', signal);
		if (response.status < 300 || response.status >= 400) return readText(response);
		await response.body?.cancel();
		const next = fileRedirect(domain, url, response.headers.get('Location'));
		if (next === undefined) return '';
		url = next;
	}
	return '';
}

function ask(ctx: Context, url: string, accept: string, signal: AbortSignal): Promise<Response> {
	return ctx.fetch(url, { redirect: 'manual', cache: 'no-store', headers: { Accept: accept }, signal });
}

async function readText(response: Response): Promise<string> {
	if (response.status !== 200) {
		await response.body?.cancel();
		return '';
	}
	let text = '';
	let length = 0;
	const decoder = new TextDecoder();
	for await (const chunk of response.body ?? []) {
		length += chunk.byteLength;
		if (length > ANSWER_LIMIT_BYTES) return '';
		text += decoder.decode(chunk, { stream: true });
	}
	return text;
}
