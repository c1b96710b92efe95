import { Hono } from 'hono';
import type { AppContext, AppEnv } from './app-env.ts';

/** Files of public/docs, built by `npm run docs`. They load nothing from other hosts and cannot be framed. */
export const docs = new Hono<AppEnv>();

const POLICY = [
	"default-src 'none'",
	"style-src 'self'",
	"script-src 'self'",
	"img-src 'self'",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join('; ');

// People try this path because the sources are in docs/guides.
docs.get('/guides/:file?', answerGuide);
docs.get('/guides/', answerGuide);
// The platform redirects `/docs` to `/docs/`, and `/docs/browser.html` to `/docs/browser`.
docs.get('/', answerPage);
docs.get('/*', answerPage);

/** A list of pages for AI assistants. */
export async function answerLlms(c: AppContext): Promise<Response> {
	const found = await c.env.ASSETS.fetch(new URL('/docs/llms.txt', c.req.url));
	return withHeaders(found, found.status);
}

async function answerPage(c: AppContext): Promise<Response> {
	const found = await c.env.ASSETS.fetch(c.req.raw);
	if (found.status !== 404) return withHeaders(found, found.status);
	return withHeaders(await c.env.ASSETS.fetch(new URL('/docs/404', c.req.url)), 404);
}

/** Redirects from a guide's source file to its page or Markdown. */
async function answerGuide(c: AppContext): Promise<Response> {
	const name = c.req.param('file')?.replace(/^index(?=$|\.md$)/, '') ?? '';
	const target = new URL(`/docs/${name === '.md' ? '' : encodeURIComponent(name)}`, c.req.url);
	const found = await c.env.ASSETS.fetch(new Request(target, { method: 'HEAD' }));
	if (found.status !== 200) return answerPage(c);
	target.search = new URL(c.req.url).search;
	return withHeaders(new Response(null, { headers: { Location: target.pathname + target.search } }), 307);
}

function withHeaders({ body, headers }: Response, status: number): Response {
	const answer = new Response(body, { status, headers });
	answer.headers.set('Content-Security-Policy', POLICY);
	answer.headers.set('Referrer-Policy', 'same-origin');
	if (status === 404) {
		answer.headers.delete('ETag');
		answer.headers.set('Cache-Control', 'no-store');
	}
	return answer;
}
