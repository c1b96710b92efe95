import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { findChromium, NO_CHROMIUM } from '../testing/chromium.ts';
import { Failure, runScript } from '../testing/failure.ts';
import { ROOT } from '../testing/root.ts';
import { median } from './measure.ts';
import { openPaintService, type PaintService } from './paint-service.ts';

// npm run bench:paint -- [--rounds 3]
// Measures when the built pages show something, on Fast 3G with a CPU slowed down four times and an empty cache. Run npm run build:pages first.
// Milliseconds depend on the machine; kilobytes, requests and the ratio to an empty page of the same run do not.

/** Fast 3G as defined in Chromium's developer tools. */
const FAST_3G = { offline: false, latency: 562.5, downloadThroughput: 180 * 1024, uploadThroughput: 84.375 * 1024 };
const CPU_SLOWDOWN = 4;

/** The times of the first paint and of the first text in the content, in ms since navigation started; null until both exist. */
const shownAt = (selector: string) => `(() => {
	const element = document.querySelector(${JSON.stringify(selector)});
	if (element && (element.tagName === 'INPUT' || element.textContent.trim() !== '')) window.contentMs ??= performance.now();
	const [paint] = performance.getEntriesByName('first-contentful-paint');
	return paint && window.contentMs ? [paint.startTime, window.contentMs] : null;
})()`;

interface Visit {
	readonly name: string;
	readonly path: string;
	/** The selector of the element whose first text counts as content. */
	readonly content: string;
	readonly isSignedIn: boolean;
}

interface Seen {
	readonly firstPaintMs: number;
	readonly contentMs: number;
	readonly scriptBytes: number;
	readonly requests: number;
	/** URLs that were requested more than once. */
	readonly twice: readonly string[];
}

await runScript(async () => {
	const executablePath = findChromium();
	if (executablePath === undefined) throw new Failure(NO_CHROMIUM);
	if (!readdirSync(join(ROOT, 'public')).includes('pages')) throw new Failure('The pages are not built. Run npm run build:pages first.');
	const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1]) || 3;
	const folder = mkdtempSync(join(tmpdir(), 'paint-'));
	const service = await openPaintService(folder);
	const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--ignore-certificate-errors'] });
	try {
		await measureAll(browser, service, rounds);
	} finally {
		await browser.close();
		await service.stop();
		rmSync(folder, { recursive: true, force: true });
	}
	return 0;
});

async function measureAll(browser: Browser, service: PaintService, rounds: number): Promise<void> {
	const visits: readonly Visit[] = [
		{ name: 'empty page', path: '/empty', content: 'body', isSignedIn: false },
		{ name: 'sign-in', path: '/dashboard/sign-in', content: 'input[type=password]', isSignedIn: false },
		{ name: 'overview', path: `/dashboard/programs/${service.programId}`, content: '.tile strong', isSignedIn: true },
		{ name: 'commissions', path: `/dashboard/programs/${service.programId}/commissions`, content: 'table tbody td', isSignedIn: true },
	];
	console.log('Fast 3G, CPU / 4, empty cache     first paint ms      content ms  of the empty page  script KB gzip  requests');
	let empty = 1;
	for (const visit of visits) {
		const seen: Seen[] = [];
		for (let round = 0; round < rounds; round += 1) seen.push(await see(browser, service, visit));
		const [paint, content] = [median(seen.map(({ firstPaintMs }) => firstPaintMs)), median(seen.map(({ contentMs }) => contentMs))];
		if (visit.name === 'empty page') empty = paint;
		const [last] = seen;
		console.log(
			`${visit.name.padEnd(32)} ${paint.toFixed(0).padStart(16)} ${content.toFixed(0).padStart(15)} ` +
				`${`${(paint / empty).toFixed(1)} x, ${(content / empty).toFixed(1)} x`.padStart(18)} ` +
				`${((last?.scriptBytes ?? 0) / 1024).toFixed(1).padStart(15)} ${String(last?.requests).padStart(9)}` +
				(last && last.twice.length > 0 ? `  twice: ${last.twice.join(' ')}` : ''),
		);
	}
}

async function see(browser: Browser, service: PaintService, { path, content, isSignedIn }: Visit): Promise<Seen> {
	const context = await browser.newContext({ baseURL: service.url, ignoreHTTPSErrors: true });
	if (isSignedIn)
		await context.addCookies([{ name: '__Host-tracker_session', value: service.token, url: service.url, secure: true, httpOnly: true }]);
	const page = await context.newPage();
	const devtools = await context.newCDPSession(page);
	await devtools.send('Network.enable');
	await devtools.send('Network.emulateNetworkConditions', FAST_3G);
	await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
	const log = service.watch();
	await page.goto(path, { waitUntil: 'commit' });
	// The page's policy forbids evaluating strings as scripts, so waitForFunction would not work.
	let shown: unknown = null;
	while (shown === null) shown = await page.evaluate(shownAt(content));
	const [firstPaintMs = 0, contentMs = 0] = Array.isArray(shown) ? shown.map(Number) : [];
	// Requests after the first content count too.
	await page.waitForLoadState('networkidle');
	const responses = log();
	await context.close();
	const addresses = responses.map(({ address }) => address);
	return {
		firstPaintMs,
		contentMs,
		scriptBytes: responses.filter(({ type }) => type.includes('javascript')).reduce((sum, { bytes }) => sum + bytes, 0),
		requests: responses.length,
		twice: [...new Set(addresses.filter((address, index) => addresses.indexOf(address) !== index))],
	};
}
