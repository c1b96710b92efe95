import { createServer } from 'node:net';
import { parseArgs } from 'node:util';
import { type DemoWorld, demoFile, openShop, readDemoWorld, signIn } from './demo/world.ts';
import { Failure, runScript } from '../testing/failure.ts';
import { faint, say, strong } from './demo/terminal.ts';

// npm run example: runs the shop of examples/shop for the demo program, alongside `npm run dev`. It starts the shop before it changes the
// program, and undoes its changes when it ends.

const DEFAULT_PORT = 3000;
/** The number of ports to try after the default one. */
const FURTHER_PORTS = 20;

const stopped = new Promise<void>((resolve) => {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
});

await runScript(async () => {
	const options = readOptions();
	const world = readDemoWorld(demoFile(options['persist-to']));
	if (!world) throw new Failure('There is no demo program yet. Start the service first, in another terminal: npm run dev');
	// Fails early if the service is not running.
	await signIn(world);
	const port = await freePort(options.port);
	Object.assign(process.env, { TRACKER_URL: world.url, TRACKER_KEY: world.apiToken, TRACKER_PARTNER: world.shortLink, PORT: String(port) });
	const { opened } = await import('../examples/shop/server.ts');
	if (!(await opened)) return 1;
	const undo = await openShop(world, `http://localhost:${port}`);
	welcome(world, port);
	await stopped;
	await undo();
	say('\nThe shop is closed. The changes to the demo program are undone.');
	return 0;
});

function welcome(world: DemoWorld, port: number): void {
	say(`
${strong('The shop is ready.')} Follow the partner's link as a visitor would, sign up, and buy a teapot:

  directly          http://localhost:${port}/?aff=${world.shortLink}
  with a redirect   ${world.url}/r/${world.shortLink}

This terminal shows what the shop reports to the service. ${faint('Stop with Ctrl-C.')}
`);
}

function readOptions(): { port?: string | undefined; 'persist-to'?: string | undefined } {
	const values = readArguments();
	if (values.port !== undefined && !isPort(values.port)) throw new Failure('--port must be a number from 1 to 65535');
	return values;
}

function readArguments() {
	try {
		return parseArgs({ options: { port: { type: 'string' }, 'persist-to': { type: 'string' } } }).values;
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new Failure(`${why}\nnpm run example takes --port and --persist-to, both optional. It finds the service without a URL.`);
	}
}

function isPort(text: string): boolean {
	return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

/** The port given, or the first free one starting from the default. */
async function freePort(given: string | undefined): Promise<number> {
	const ports = given === undefined ? Array.from({ length: 1 + FURTHER_PORTS }, (_, index) => DEFAULT_PORT + index) : [Number(given)];
	for (const port of ports) if (await isFree(port)) return port;
	throw new Failure(
		given === undefined
			? `No port from ${DEFAULT_PORT} to ${DEFAULT_PORT + FURTHER_PORTS} is free. Choose another one: npm run example -- --port 4000`
			: `Port ${given} is in use. Leave out --port to use any free one.`,
	);
}

function isFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const probe = createServer();
		probe.once('error', () => resolve(false));
		probe.listen(port, () => probe.close(() => resolve(true)));
	});
}
