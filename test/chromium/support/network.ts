import { type Request, Response } from 'miniflare';
import { startMiniflare } from '../../../testing/miniflare.ts';

export interface Seen {
	readonly method: string;
	readonly url: URL;
	readonly headers: Headers;
	readonly body: string;
}

export type Site = (request: Seen) => Response | Promise<Response>;

/** Serves every host that the browser can reach on ports 80 and 443, from this process. */
export interface Network {
	readonly ports: { readonly http: number; readonly https: number };
	/** Every request to any host. */
	readonly seen: Seen[];
	serve(host: string, site: Site): void;
	stop(): Promise<void>;
}

export async function openNetwork(): Promise<Network> {
	const sites = new Map<string, Site>();
	const seen: Seen[] = [];

	const answer = async (request: Request): Promise<Response> => {
		const url = new URL(request.url);
		const received = { method: request.method, url, headers: new Headers([...request.headers]), body: await request.text() };
		if (url.pathname !== '/favicon.ico') seen.push(received);
		return (await sites.get(url.hostname)?.(received)) ?? new Response('There is nothing here', { status: 404 });
	};
	const front = (https: boolean) =>
		startMiniflare({
			name: 'front',
			modules: true,
			script: `export default { fetch: (request, env) => env.SITES.fetch(request, { redirect: 'manual' }) }`,
			compatibilityDate: '2026-10-23',
			https,
			// Browsers drop connections to hosts with a self-signed certificate; those messages are noise.
			handleStructuredLogs: () => undefined,
			serviceBindings: { SITES: answer },
		});
	const fronts = { https: front(true), http: front(false) };
	const [https, http] = await Promise.all([fronts.https.ready, fronts.http.ready]);
	return {
		ports: { https: Number(https.port), http: Number(http.port) },
		seen,
		serve: (host, site) => void sites.set(host, site),
		stop: async () => void (await Promise.all([fronts.https.dispose(), fronts.http.dispose()])),
	};
}
