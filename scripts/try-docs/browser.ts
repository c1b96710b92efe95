import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium, NO_CHROMIUM } from '../../testing/chromium.ts';
import { call } from '../demo/api.ts';
import type { DemoWorld } from '../demo/world.ts';
import { Failure } from '../../testing/failure.ts';

const SHOP = 'https://shop.example';
const PATIENCE_MS = 120_000;
const WAIT_MS = 50;

export interface StoredEvent {
	readonly type: string;
	readonly is_test: boolean;
	readonly customer_key: string | null;
	readonly click_id: string | null;
}

/** A visitor to shop.example, where the guides' pages are served. */
export class Visit {
	readonly page: Page;
	readonly world: DemoWorld;
	readonly #context: BrowserContext;
	readonly #files: Map<string, string>;
	readonly #complaints: string[] = [];

	constructor(context: BrowserContext, page: Page, world: DemoWorld, files: Map<string, string>) {
		this.#context = context;
		this.page = page;
		this.world = world;
		this.#files = files;
		page.on('pageerror', (error) => this.#complaints.push(error.message));
		page.on('console', (message) => {
			if (message.type() === 'error') this.#complaints.push(message.text());
		});
	}

	put(path: string, text: string): void {
		this.#files.set(path, text);
	}

	async open(path: string): Promise<void> {
		await this.page.goto(`${SHOP}${path}`);
	}

	/** Waits until the cookie contains the click id. */
	async clickId(): Promise<string> {
		return this.until('a click id in the cookie', () => this.cookie());
	}

	async cookie(): Promise<string | undefined> {
		const cookies = await this.#context.cookies(SHOP);
		return cookies.find(({ name }) => name === 'tracker_click_id')?.value;
	}

	/** Waits until the program has a matching event. */
	async event(type: string, isWanted: (event: StoredEvent) => boolean): Promise<StoredEvent> {
		return this.until(`a ${type} in the service`, async () => {
			const { body } = await call(this.world.url, `/api/v1/cli/events?type=${type}&limit=20`, { token: this.world.apiToken });
			const events: StoredEvent[] = Array.isArray(body['data']) ? body['data'] : [];
			return events.find((event) => isWanted(event));
		});
	}

	async until<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
		const end = Date.now() + PATIENCE_MS;
		for (;;) {
			const found = await look();
			if (found !== undefined) return found;
			if (Date.now() > end) throw new Failure(`timed out waiting for ${what}. ${this.#complaints.join('\n')}`);
			await this.page.waitForTimeout(WAIT_MS);
		}
	}

	/** Fails if the page logged an error. */
	close(): void {
		if (this.#complaints.length > 0) throw new Failure(`the page has errors: ${this.#complaints.join('\n')}`);
	}
}

/** A Chromium whose pages on shop.example may call the local service. */
export function openBrowser(): Promise<Browser> {
	const executablePath = findChromium();
	if (executablePath === undefined) throw new Failure(NO_CHROMIUM);
	return chromium.launch({
		executablePath,
		// Lets pages on a public host call a local service without a permission prompt.
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-features=LocalNetworkAccessChecks',
		],
	});
}

/** A visitor with a fresh browser profile. The user agent hides that the browser is headless, because headless browsers count as bots. */
export async function withVisit(browser: Browser, world: DemoWorld, work: (visit: Visit) => Promise<void>): Promise<void> {
	const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version()} Safari/537.36`;
	const context = await browser.newContext({ userAgent });
	const files = new Map<string, string>();
	await context.route(`${SHOP}/**`, (route) => {
		const { pathname } = new URL(route.request().url());
		const text = files.get(pathname);
		if (text === undefined) return route.fulfill({ status: pathname === '/favicon.ico' ? 204 : 404, body: '' });
		return route.fulfill({ body: text, contentType: pathname.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8' });
	});
	try {
		const visit = new Visit(context, await context.newPage(), world, files);
		await work(visit);
		visit.close();
	} finally {
		await context.close();
	}
}
