import type { AppContext } from './app-env.ts';

/**
 * A file of public/, whose path is the request's. It is sent as it lies there (wrangler.toml, [assets]), with an ETag, so that
 * it costs the Worker no size; anybody may read it, pages of other origins too.
 */
export async function answerAsset(c: AppContext): Promise<Response> {
	const { status, headers, body } = await c.env.ASSETS.fetch(c.req.raw);
	if (status >= 400) throw new Error(`public${c.req.path} answered ${status}: was it deployed?`);
	const answer = new Response(body, { status, headers });
	answer.headers.set('Access-Control-Allow-Origin', '*');
	return answer;
}
