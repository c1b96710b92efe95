import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { writeBrowserScripts } from './browser-scripts.ts';
import type { Days } from './demo/days/open-days.ts';
import { tryAnswerer } from './demo/try-it.ts';
import { demoFile, openDemoWorld } from './demo/world.ts';
import { ensureDevVars } from './demo/dev-vars.ts';
import { readable } from './demo/event-lines.ts';
import { emailLine } from './demo/email-lines.ts';
import { migratedLine, migrateLocally } from './demo/local-database.ts';
import { openPages, type Pages } from './dev-pages.ts';
import { writeSite } from './docs/write-site.ts';
import { Failure, runScript } from '../testing/failure.ts';
import { freePort } from '../testing/free-port.ts';
import { welcome, welcomeToDays } from './demo/welcome.ts';
import { exitOf, startWrangler, stopWrangler } from '../testing/wrangler.ts';

// npm run dev: the whole service on this machine, with demo data; --demo adds ninety days of a shop. Vite serves the pages with hot reload
// and proxies everything else to `wrangler dev`. --mail prints the service's emails, which never leave the machine. Other arguments are
// passed to wrangler.

const USAGE = `npm run dev -- [options]

  --port <number>       where the service listens: 8787 if left out
  --ip <address>        127.0.0.1 if left out; 0.0.0.0 for other devices of your network
  --demo                adds a shop with ninety days of data
  --mail                prints the emails of the service, which never leave the machine
  --persist-to <path>   where the data stays: .wrangler if left out

Other options go to wrangler dev: npx wrangler dev --help lists them.`;

const READY_TIMEOUT_MS = 300_000;
const TICK_MS = 60_000;

const interrupted = new AbortController();
const interruption = new Promise<'interrupted'>((resolve) => {
	interrupted.signal.addEventListener('abort', () => resolve('interrupted'));
});

/** While true, every call comes from this script, so none is printed. */
let isStarting = true;

await runScript(dev);

async function dev(): Promise<number> {
	stopWhenAsked();
	const given = process.argv.slice(2);
	if (given.includes('--help') || given.includes('-h')) {
		console.log(USAGE);
		return 0;
	}
	const options = readOptions(given);
	await requireFreePort(options.ip, options.port);
	console.log(`Starting at ${options.url}. The first time this takes a minute.`);
	if (ensureDevVars()) console.log('Created .dev.vars with random secrets.');
	// wrangler creates the database in its own process, so the scripts can be built in parallel.
	const [migrated] = await Promise.all([
		migrateLocally(options.persistTo, interrupted.signal),
		writeBrowserScripts().then(() => writeSite()),
	]);
	if (interrupted.signal.aborted) return 0;
	const news = migratedLine(migrated);
	if (news !== undefined) console.log(news);
	const days = options.isDemo ? await openDays(options) : undefined;
	if (interrupted.signal.aborted) return 0;

	const servicePort = await freePort();
	const server = startWrangler(['dev', '--env', 'dev', '--ip', '127.0.0.1', '--port', String(servicePort), ...options.args], 'read');
	showLines(server, options.isQuiet);
	const ended = exitOf(server);
	const opened: Promise<Pages>[] = [];
	const open = () => {
		const pages = openPages({ ip: options.ip, port: options.port, servicePort, answers: tryAnswerer(demoFile(options.persistTo)) });
		opened.push(pages);
		return pages;
	};
	try {
		const end = await Promise.race([ended, interruption, serve({ ...options, servicePort }, open, days)]);
		if (end === 'interrupted') return 0;
		throw new Failure(`wrangler dev exited with code ${end}.`, end);
	} finally {
		await Promise.allSettled([...opened.map(async (pages) => (await pages).close()), stopWrangler(server, ended)]);
		if (interrupted.signal.aborted) console.log('\nStopped.');
	}
}

/** Prints the output of wrangler and the Worker, with tracked events in readable form. */
function showLines({ stdout, stderr }: ChildProcess, isQuiet: boolean): void {
	for (const [from, to] of [
		[stdout, process.stdout],
		[stderr, process.stderr],
	] as const) {
		if (!from) continue;
		createInterface({ input: from }).on('line', (line) => {
			const email = emailLine(line);
			const shown = email === undefined ? readable(line, { at: new Date(), isQuiet, isStarting }) : isStarting ? undefined : email;
			if (shown !== undefined) to.write(`${shown}\n`);
		});
	}
}

function stopWhenAsked(): void {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
	if (process.env['npm_lifecycle_event'] === undefined) return;
	// npm may be killed before it forwards the signal, which would leave the service running.
	const { ppid } = process;
	setInterval(() => process.ppid !== ppid && interrupted.abort(), 500).unref();
}

interface Options {
	readonly ip: string;
	readonly port: number;
	readonly url: string;
	readonly persistTo: string | undefined;
	readonly isDemo: boolean;
	/** Whether to hide wrangler's line for each call: true unless a log level was given. */
	readonly isQuiet: boolean;
	readonly args: readonly string[];
}

/** The caller's arguments, in addition to the defaults. */
function readOptions(given: string[]): Options {
	const { values, tokens } = parseArgs({
		args: given,
		strict: false,
		tokens: true,
		options: {
			port: { type: 'string' },
			ip: { type: 'string' },
			'persist-to': { type: 'string' },
			mail: { type: 'boolean' },
			demo: { type: 'boolean' },
		},
	});
	const usual = { 'log-level': 'info', 'show-interactive-dev-session': 'false' };
	const added = Object.entries(usual).filter(([name]) => !(name in values));
	const ip = String(values['ip'] ?? '127.0.0.1');
	const port = Number(values['port'] ?? 8787);
	if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Failure('--port must be a number from 1 to 65535');
	const persistTo = typeof values['persist-to'] === 'string' ? values['persist-to'] : undefined;
	const url = `http://${ip === '0.0.0.0' ? '127.0.0.1' : ip}:${port}`;
	// These options are for this script and Vite; wrangler gets its own port.
	const own = new Set(
		tokens.flatMap((token) =>
			token.kind === 'option' && ['demo', 'mail', 'ip', 'port'].includes(token.name)
				? [token.index, ...(token.value === undefined || token.inlineValue ? [] : [token.index + 1])]
				: [],
		),
	);
	const mail = values['mail'] === true ? ['--var=MAIL_FROM:Affiliate tracker <mail@tracker.example>', `--var=PUBLIC_URL:${url}`] : [];
	return {
		ip,
		port,
		url,
		persistTo,
		isDemo: values['demo'] === true,
		isQuiet: !('log-level' in values),
		// --test-scheduled lets this process trigger the crons, which wrangler does not run locally.
		args: [
			...added.map(([name, value]) => `--${name}=${value}`),
			'--test-scheduled',
			'--var=LOG_EVENTS:on',
			...mail,
			...given.filter((_, index) => !own.has(index)),
		],
	};
}

function requireFreePort(ip: string, port: number): Promise<void> {
	return new Promise((resolve, reject) => {
		const probe = createServer();
		probe.once('error', (error: NodeJS.ErrnoException) => {
			const isTaken = error.code === 'EADDRINUSE';
			const why = isTaken ? 'is in use. Is `npm run dev` already running?' : `cannot be used (${error.message}).`;
			reject(new Failure(`Port ${port} on ${ip} ${why}\nChoose another one: npm run dev -- --port ${port === 65_535 ? 8787 : port + 1}`));
		});
		probe.listen(port, ip, () => probe.close(() => resolve()));
	});
}

/** Imported only for --demo, because it loads the whole service. */
async function openDays({ persistTo }: Options): Promise<Days | undefined> {
	const days = await import('./demo/days/open-days.ts');
	return days.openDays(persistTo, interrupted.signal);
}

/**
 * Opens the pages once the service responds, prints the welcome, and runs the crons until it is stopped. Vite starts only then, because it
 * prints a proxy error for each call it cannot forward, such as one from a dashboard still open in a browser.
 */
async function serve(
	{ url, persistTo, servicePort }: Options & { servicePort: number },
	open: () => Promise<Pages>,
	days: Days | undefined,
): Promise<never> {
	const service = `http://127.0.0.1:${servicePort}`;
	const deadline = Date.now() + READY_TIMEOUT_MS;
	while (!(await answers(service))) {
		if (Date.now() > deadline) throw new Failure(`The service at ${url} did not respond within ${READY_TIMEOUT_MS / 1000} seconds.`);
		await setTimeout(200);
	}
	await open();
	const { world, isNew } = await openDemoWorld(url, demoFile(persistTo));
	console.log(welcome(world, isNew, persistTo));
	if (days) console.log(welcomeToDays(days, url));
	isStarting = false;
	for (;;) {
		await tick(service);
		await setTimeout(TICK_MS);
	}
}

async function answers(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5_000) });
		await response.body?.cancel();
		return response.status < 500;
	} catch {
		return false;
	}
}

/** Runs the crons, because the local runtime does not. The service itself logs failures. */
async function tick(url: string): Promise<void> {
	await fetch(`${url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`, { signal: AbortSignal.timeout(30_000) })
		.then((response) => response.body?.cancel())
		.catch(() => undefined);
}
