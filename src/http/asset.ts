import type { AppContext } from './app-env.ts';

/** Sends a file of public/. Pages of any origin may read it. */
export async function answerAsset(c: AppContext): Promise<Response> {
	const { status, headers, body } = await c.env.ASSETS.fetch(c.req.raw);
	if (status >= 400) throw new Error(`public${c.req.path} answered ${status}: was it deployed?`);
	const answer = new Response(body, { status, headers });
	answer.headers.set('Access-Control-Allow-Origin', '*');
	return answer;
}
