import { setTimeout as sleep } from 'node:timers/promises';
import { Response } from 'miniflare';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { inject, vi } from 'vitest';
import { Tracker } from '../../../src/sdk/index.ts';
import { launchArguments } from '../../../testing/chromium.ts';
import { type Network, openNetwork, type Seen } from './network.ts';
import { type Service, startService } from './service.ts';

/** The service's URL, unless a shop serves it from its own domain. */
export const SERVICE = 'https://track.example.net';

/** Has signed up, and owns each program. */
export const OWNER = { email: 'ada@shop.example', password: 'correct horse battery', name: 'Ada Owner' };

/** The password of Pat and Dana, after their invitations are accepted. */
export const PATS_PASSWORD = 'a kettle beside four cups';

const STUB = 'window.tracker=window.tracker||function(){(tracker.q=tracker.q||[]).push(arguments)}';
/** The wait for late requests after a page has loaded. */
const REST_MS = 200;
const QUEUE_LIMIT_MS = 120_000;

/** A shop's requests reach the service by Worker routes on its own domain, or by a proxy under a path. */
type Mount = 'routes' | 'proxy';

export interface Shop {
	/** HTML by path. */
	readonly pages: Readonly<Record<string, string>>;
	readonly mount?: Mount;
	readonly headers?: Readonly<Record<string, string>>;
}

export interface Funnel {
	readonly programId: number;
	readonly apiToken: string;
	readonly partnerProgramId: number;
	readonly pat: string;
	readonly dana: string;
	/** Pat signs in with it. */
	readonly patsEmail: string;
	readonly patsInvitation: string;
	readonly danasEmail: string;
	readonly danasInvitation: string;
}

export interface StoredClick {
	readonly click_id: string;
	readonly page_url: string | null;
	readonly referrer_url: string | null;
	readonly is_bot: number;
	readonly is_test: number;
}

/**
 * Playwright's limit for each wait: long enough for a busy machine, and shorter than a test's limit, so that the failure names what is
 * missing.
 */
const PATIENCE_MS = 120_000;

export class World {
	readonly network: Network;
	readonly service: Service;
	readonly browser: Browser;
	readonly #token: string;
	readonly #answered = new Set<string>();
	readonly #accepted = new Set<string>();
	#made = 0;

	private constructor(network: Network, service: Service, browser: Browser, token: string) {
		this.network = network;
		this.service = service;
		this.browser = browser;
		this.#token = token;
		network.serve(new URL(SERVICE).hostname, (request) => this.#ask(request, request.url));
	}

	static async open(executablePath = inject('chromium')): Promise<World> {
		const [network, service] = await Promise.all([openNetwork(), startService(inject('built'))]);
		const browser = await chromium.launch({ executablePath, args: launchArguments(network.ports) });
		const { token } = await post(service, '/api/v1/auth/sign-up', OWNER);
		return new World(network, service, browser, String(token));
	}

	async close(): Promise<void> {
		await this.browser.close();
		await Promise.all([this.service.stop(), this.network.stop()]);
	}

	/** Creates a program with two partners; settings are those of POST /api/v1/programs. */
	async funnel(settings: object, destination?: string): Promise<Funnel> {
		this.#made += 1;
		const name = `shop${this.#made}`;
		const commission = { type: 'percent', percent: 20 };
		const program = await post(this.service, '/api/v1/programs', { name, commission, ...settings }, this.#token);
		const partners = [];
		for (const partner of ['pat', 'dana']) {
			const path = `/api/v1/programs/${String(program['id'])}/partners`;
			const short_link = `${partner}-${name}`;
			const added = await post(this.service, path, { name: partner, email: `${partner}@${name}.example`, short_link }, this.#token);
			partners.push({ id: Number(added['partner_program_id']), short_link, invitation: new URL(String(added['invitation_url'])).pathname });
		}
		if (destination !== undefined)
			await this.service.rows('UPDATE referral_links SET destination_url = ? WHERE program_id = ?', destination, program['id']);
		const [pat, dana] = partners;
		if (!pat || !dana) throw new Error('No partners');
		return {
			programId: Number(program['id']),
			apiToken: String(program['api_token']),
			partnerProgramId: pat.id,
			pat: pat.short_link,
			dana: dana.short_link,
			patsEmail: `pat@${name}.example`,
			patsInvitation: pat.invitation,
			danasEmail: `dana@${name}.example`,
			danasInvitation: dana.invitation,
		};
	}

	shop(host: string, { pages, mount, headers = {} }: Shop): void {
		this.network.serve(host, (request) => {
			const { pathname } = request.url;
			if (mount === 'routes' && /^\/(tracker(-extras)?\.js$|r\/|api\/)/.test(pathname)) return this.#ask(request, request.url);
			if (mount === 'proxy' && pathname.startsWith('/aff/')) {
				// Changes the host and the path, as nginx with proxy_pass does.
				const url = new URL(pathname.slice('/aff'.length) + request.url.search, SERVICE);
				return this.#ask(request, url, { 'X-Forwarded-Host': host });
			}
			const html = pages[pathname];
			if (html === undefined) return new Response('No such page', { status: 404 });
			return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers } });
		});
	}

	/** A visitor with an empty browser. The user agent must not say "headless", because that counts as a bot. */
	async visitor(options: BrowserContextOptions = {}): Promise<BrowserContext> {
		const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${this.browser.version()} Safari/537.36`;
		const context = await this.browser.newContext({ userAgent, ...options });
		context.setDefaultTimeout(PATIENCE_MS);
		return context;
	}

	/** The owner's browser, signed in on the sign-in page. */
	ownersBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
		return this.#signedIn('/dashboard', OWNER, options);
	}

	/** Accepts the invitation first. */
	partnersBrowser({ patsEmail, patsInvitation }: Funnel, options: BrowserContextOptions = {}): Promise<BrowserContext> {
		return this.#inPortal('Pat Partner', patsEmail, patsInvitation, options);
	}

	/** Dana is in the same program. */
	fellowsBrowser({ danasEmail, danasInvitation }: Funnel, options: BrowserContextOptions = {}): Promise<BrowserContext> {
		return this.#inPortal('Dana Partner', danasEmail, danasInvitation, options);
	}

	async #inPortal(name: string, email: string, invitation: string, options: BrowserContextOptions): Promise<BrowserContext> {
		if (!this.#accepted.has(invitation)) {
			this.#accepted.add(invitation);
			await post(this.service, `${invitation}/accept`, { name, password: PATS_PASSWORD });
		}
		return this.#signedIn('/portal', { email, password: PATS_PASSWORD }, options);
	}

	/** Calls as the owner. */
	manage({ programId }: Funnel, path: string, body: object): Promise<Record<string, unknown>> {
		return post(this.service, `/api/v1/programs/${programId}${path}`, body, this.#token);
	}

	async #signedIn(
		entry: string,
		{ email, password }: Pick<typeof OWNER, 'email' | 'password'>,
		options: BrowserContextOptions,
	): Promise<BrowserContext> {
		const context = await this.visitor(options);
		const page = await context.newPage();
		await page.goto(`${SERVICE}${entry}/sign-in`);
		await page.getByLabel('Email address', { exact: true }).fill(email);
		await page.getByLabel('Password', { exact: true }).fill(password);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.getByRole('button', { name: /^Account of / }).waitFor();
		await page.close();
		return context;
	}

	/** Waits until every returned click is stored. */
	async clicks({ programId }: Funnel): Promise<StoredClick[]> {
		await sleep(REST_MS);
		await vi.waitFor(
			async () => {
				const stored = await this.service.rows<{ click_id: string }>('SELECT click_id FROM affiliate_click_events');
				const known = new Set(stored.map(({ click_id }) => click_id));
				const missing = [...this.#answered].filter((id) => !known.has(id));
				if (missing.length > 0) throw new Error(`These clicks were answered, but never stored: ${missing.join(', ')}`);
			},
			{ timeout: QUEUE_LIMIT_MS, interval: 50 },
		);
		return this.service.rows(
			'SELECT click_id, page_url, referrer_url, is_bot, is_test FROM affiliate_click_events WHERE program_id = ? ORDER BY id',
			programId,
		);
	}

	/** Requests to this route of the service on any host, from this position on. */
	calls(route: 'click' | 'lead', since = 0): Seen[] {
		return this.network.seen.slice(since).filter(({ url }) => url.pathname.endsWith(`/api/v1/track/${route}`));
	}

	async #ask({ method, url: { pathname }, headers, body }: Seen, url: URL, added: Record<string, string> = {}): Promise<Response> {
		const sent = new Headers(headers);
		sent.delete('Host');
		sent.delete('Content-Length');
		for (const [name, value] of Object.entries(added)) sent.set(name, value);
		const response = await this.service.fetch(url.href, {
			method,
			headers: sent,
			body: ['GET', 'HEAD'].includes(method) ? undefined : body,
		});
		const answer = pathname.endsWith('/track/click') ? await response.clone().text() : response.headers.get('Location');
		const [clickId] = /cust_\d+_\d+/.exec(answer ?? '') ?? [];
		if (clickId !== undefined) this.#answered.add(clickId);
		return response;
	}

	/** Opens a page and waits until it is idle. Returns a function that lists its requests to the service, except for the script. */
	async land(page: Page, address: string): Promise<() => string[]> {
		const since = this.network.seen.length;
		await page.goto(address, { waitUntil: 'networkidle' });
		return () =>
			this.network.seen
				.slice(since)
				.filter(({ url }) => url.origin === SERVICE && url.pathname !== '/tracker.js')
				.map(({ url }) => url.pathname);
	}

	/** Calls the service directly, as in a shop's backend. */
	backend({ apiToken }: Funnel): Tracker {
		return new Tracker({ baseUrl: this.service.url, apiKey: apiToken });
	}
}

/** A page with the script tag from the Browser guide. */
export function pageWith(body = '', attributes = '', src = `${SERVICE}/tracker.js`): string {
	return `<!doctype html><title>Shop</title><script>${STUB}</script><script async src="${src}" ${attributes}></script>${body}`;
}

/** Waits until the page's requests have been answered. */
export function clickIdOn(page: Page): Promise<string | undefined> {
	return page.evaluate("new Promise((resolve) => tracker('getClickId', resolve))");
}

/** Returns what the command's promise resolves to. */
export function callOn(page: Page, command: string, argument?: unknown): Promise<unknown> {
	return page.evaluate(`tracker(${JSON.stringify(command)}, ${JSON.stringify(argument) ?? 'undefined'})`);
}

/** Our cookies on the page, as the browser stores them. */
export async function cookiesOf(
	context: BrowserContext,
): Promise<Record<string, { value: string; domain: string; days: number; secure: boolean; sameSite: string; httpOnly: boolean }>> {
	const cookies = await context.cookies();
	return Object.fromEntries(
		cookies.map(({ name, value, domain, expires, secure, sameSite, httpOnly }) => [
			name,
			{ value, domain, days: Math.round((expires - Date.now() / 1000) / 86_400), secure, sameSite, httpOnly },
		]),
	);
}

/** Exceptions, unhandled rejections and policy violations, from now on. */
export function complaintsOf(page: Page): string[] {
	const complaints: string[] = [];
	page.on('pageerror', (error) => complaints.push(String(error)));
	page.on('console', (message) => {
		if (message.type() === 'error' && !message.text().includes('Failed to load resource')) complaints.push(message.text());
	});
	return complaints;
}

async function post(service: Service, path: string, body: object, token?: string): Promise<Record<string, unknown>> {
	const headers = new Headers({ 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) });
	const response = await service.fetch(`${SERVICE}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
	const text = await response.text();
	if (response.status >= 300) throw new Error(`${path} answered ${response.status}: ${text}`);
	const { data }: { data: Record<string, unknown> } = JSON.parse(text);
	return data;
}
