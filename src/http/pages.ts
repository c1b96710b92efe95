import { Hono } from 'hono';
import type { AppContext, AppEnv } from './app-env.ts';
import { preloadsOf } from './preloads.ts';

/** Files of public/pages, built from src/pages. They load nothing from other hosts, cannot be framed, and get all data from the API. */
export const pages = new Hono<AppEnv>();

const POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

pages.get('/', (c) => c.redirect('/dashboard'));
/** Pages without navigation, so they must not start with the outline, which shows one. */
const WITHOUT_OUTLINE = { dashboard: ['sign-up'], portal: ['invitation', 'reset-password'] } as const;

// All paths below get the same file, and the page decides what to show.
for (const page of ['dashboard', 'portal'] as const) {
	pages.get(`/${page}/sign-in`, (c) => answerPage(c, 'sign-in/'));
	for (const path of WITHOUT_OUTLINE[page]) pages.get(`/${page}/${path}`, (c) => answerPage(c, `${page}/open`));
	pages.get(`/${page}`, (c) => answerPage(c, `${page}/`));
	pages.get(`/${page}/*`, (c) => answerPage(c, `${page}/`));
}
// Links in emails open these paths. Browsers keep the part after the #.
for (const page of ['invitation', 'reset-password']) pages.get(`/${page}`, (c) => c.redirect(`/portal/${page}`));
// These files' names change with their content.
pages.get('/pages/assets/*', (c) => answerAsset(c, 'public, max-age=31536000, immutable'));
// A page that the Worker writes (program-pages.ts) uses these files, so their names never change.
pages.get('/pages/program/*', (c) => answerAsset(c, 'no-cache'));

async function answerPage(c: AppContext, file: string): Promise<Response> {
	const { status, headers, body } = await c.env.ASSETS.fetch(new URL(`/pages/${file}`, c.req.url), { headers: c.req.raw.headers });
	if (status >= 400) throw new Error(`public/pages/${file} answered ${status}: was it built? npm run build does that.`);
	const answer = new Response(body, { status, headers });
	answer.headers.set('Content-Security-Policy', POLICY);
	answer.headers.set('Referrer-Policy', 'same-origin');
	// Browsers revalidate each time, so that none requests files that an upgrade has replaced.
	answer.headers.set('Cache-Control', 'no-cache');
	for (const link of await preloadsOf(c)) answer.headers.append('Link', link);
	return answer;
}

async function answerAsset(c: AppContext, caching: string): Promise<Response> {
	const found = await c.env.ASSETS.fetch(c.req.raw);
	if (found.status === 404) return c.json({ error: `No such path: ${c.req.path}` }, 404);
	const { status, headers, body } = found;
	const answer = new Response(body, { status, headers });
	if (status < 300 || status === 304) answer.headers.set('Cache-Control', caching);
	return answer;
}
