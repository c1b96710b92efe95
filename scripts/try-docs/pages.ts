import { transform } from 'esbuild';
import { Failure } from '../../testing/failure.ts';
import type { Visit } from './browser.ts';
import { layoutHtml } from './next.ts';

/** Tests a guide's page or script. `text` is the file; `tag` is the script tag from the browser guide. */
export type PageTest = (visit: Visit, text: string, tag: string) => Promise<void>;

const LANDING = '/?aff=demo';

async function countsTheClick(visit: Visit, text: string): Promise<void> {
	visit.put('/', text);
	await visit.open(LANDING);
	const id = await visit.clickId();
	await visit.event('click', ({ click_id, is_test }) => click_id === id && !is_test);
}

export const PAGES: Readonly<Record<string, PageTest>> = {
	'browser/shop.html': countsTheClick,

	'browser/sign-up.html': async (visit, text, tag) => {
		visit.put('/', tag + text);
		await visit.open(LANDING);
		const id = await visit.clickId();
		await visit.page.getByRole('button', { name: 'Sign up' }).click();
		await visit.event('lead', ({ customer_key, click_id }) => customer_key === 'browser-2' && click_id === id);
	},

	'browser/consent.html': async (visit, text) => {
		visit.put('/', text);
		await visit.open(LANDING);
		await visit.page.waitForLoadState('networkidle');
		expect((await visit.cookie()) === undefined, 'the cookie is set before consent');
		await visit.page.getByRole('button', { name: 'Allow' }).click();
		await visit.clickId();
		await visit.page.getByRole('button', { name: 'Refuse' }).click();
		await visit.until('the cookie to be deleted', async () => ((await visit.cookie()) === undefined ? true : undefined));
	},

	'browser/form.html': async (visit, text) => {
		visit.put('/', text);
		await visit.open(LANDING);
		const id = await visit.clickId();
		const field = visit.page.locator('form input[type=hidden][name=tracker_click_id]');
		await visit.until('a click id in the form', async () =>
			(await field.count()) === 1 && (await field.inputValue()) === id ? true : undefined,
		);
	},

	'single-page-apps/index.html': async (visit, text) => {
		visit.put('/', text);
		await visit.open('/');
		await visit.page.waitForLoadState('networkidle');
		expect((await visit.cookie()) === undefined, 'the click is recorded before the link is followed');
		await visit.page.evaluate("history.pushState(null, '', '/pricing?aff=demo')");
		await visit.clickId();
	},

	'single-page-apps/visitor.ts': async (visit, text, tag) => {
		const { code } = await transform(text, { loader: 'ts', format: 'esm' });
		visit.put('/', tag);
		visit.put('/visitor.js', code);
		await visit.open(LANDING);
		const id = await visit.clickId();
		const call = (name: string, rest: string) => visit.page.evaluate(`import('/visitor.js').then(({ ${name} }) => ${name}(${rest}))`);
		expect((await call('clickId', '')) === id, 'the click id is different');
		await call('answerBanner', 'false');
		await visit.until('the cookie to be deleted', async () => ((await visit.cookie()) === undefined ? true : undefined));
		await visit.page.evaluate('delete window.tracker');
		expect((await call('clickId', '')) === undefined, 'it has a click id without the script');
	},

	'single-page-apps/sign-up.js': async (visit, text, tag) => {
		visit.put('/', tag);
		visit.put('/sign-up.js', text);
		const sent: string[] = [];
		await visit.page.route('https://api.shop.example/**', (route) => {
			const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
			if (route.request().method() === 'POST') sent.push(route.request().postData() ?? '');
			return route.fulfill({ status: 200, headers, body: '{}' });
		});
		await visit.open(LANDING);
		const id = await visit.clickId();
		await visit.page.evaluate("import('/sign-up.js').then(({ signUp }) => signUp('ada@example.com'))");
		expect(sent.join() === JSON.stringify({ email: 'ada@example.com', click_id: id }), `it sent ${sent.join()}`);
		await visit.page.evaluate('window.tracker = function () {}');
		await visit.page.evaluate("import('/sign-up.js').then(({ signUp }) => signUp('bob@example.com'))");
		expect(sent.at(-1) === JSON.stringify({ email: 'bob@example.com' }), `without the script it sent ${sent.at(-1)}`);
	},

	'single-page-apps/click.js': async (visit, text) => {
		visit.put('/', '<!doctype html><title>App</title>');
		visit.put('/click.js', text);
		await visit.open(LANDING);
		const report = "import('/click.js').then(({ reportClick }) => reportClick())";
		await visit.page.evaluate(report);
		const id = await visit.clickId();
		await visit.event('click', ({ click_id }) => click_id === id);
		await visit.page.evaluate(report);
		expect((await visit.cookie()) === id, 'the same visit recorded a second click');
	},

	'nextjs/app/layout.tsx': async (visit, text) => countsTheClick(visit, await layoutHtml(text)),

	'stripe/payment-link.html': async (visit, text) => {
		visit.put('/', text);
		await visit.open(LANDING);
		const id = await visit.clickId();
		const link = visit.page.getByRole('link', { name: 'Buy' });
		const wanted = `https://buy.stripe.com/test_123?client_reference_id=${id}`;
		await visit.until('a click id in the link', async () => ((await link.getAttribute('href')) === wanted ? true : undefined));
	},

	'paddle/paddle-js.html': async (visit, text) => {
		visit.put(
			'/',
			`<script>window.opened = []; window.Paddle = { Checkout: { open: (options) => opened.push(options) } };</script>${text}`,
		);
		await visit.open(LANDING);
		const id = await visit.clickId();
		await visit.page.getByRole('button', { name: 'Buy' }).click();
		// Waits longer than the page waits for a blocked script, to check that it opens only one checkout.
		await visit.page.waitForTimeout(600);
		const opened: unknown = await visit.page.evaluate('opened.map(({ customData }) => customData)');
		expect(JSON.stringify(opened) === JSON.stringify([{ tracker_click_id: id }]), `it opened ${JSON.stringify(opened)}`);
	},

	'test-mode/test-mode.html': async (visit, text) => {
		visit.put('/', text);
		await visit.open(LANDING);
		const id = await visit.clickId();
		await visit.event('click', ({ click_id, is_test }) => click_id === id && is_test);
	},

	'migration/old-links.html': async (visit, text) => {
		visit.put('/', text);
		await visit.open('/?via=demo&utm_source=mail');
		await visit.clickId();
		const { search } = new URL(visit.page.url());
		expect(search === '?utm_source=mail&aff=demo', `the query is ${search}`);
	},
};

function expect(isTrue: boolean, complaint: string): void {
	if (!isTrue) throw new Failure(complaint);
}
