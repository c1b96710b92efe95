import { parseArgs } from 'node:util';
import { demoFile, openShop, readDemoWorld } from './demo-world.ts';
import { Failure } from './failure.ts';
import { faint, say, strong } from './terminal.ts';

// npm run example: opens the shop of examples/shop for the demo program, beside `npm run dev`.

try {
	await open();
} catch (error) {
	console.error(error instanceof Failure ? `\n${error.message}` : error);
	process.exitCode = 1;
}

async function open(): Promise<void> {
	const { port, 'persist-to': persistTo } = readOptions();
	const world = readDemoWorld(demoFile(persistTo));
	if (!world) throw new Failure('There is no demo program yet. Start the service first, in another terminal: npm run dev');
	await openShop(world, `http://localhost:${port}`);
	say(`
${strong('A shop for you to visit.')} Follow the partner's link as a visitor would, sign up, and buy a teapot:

  straight       http://localhost:${port}/?aff=${world.shortLink}
  by a redirect  ${world.url}/r/${world.shortLink}

This terminal shows what the shop tells the service. ${faint('Stop with Ctrl-C.')}
`);
	Object.assign(process.env, { TRACKER_URL: world.url, TRACKER_KEY: world.apiToken, TRACKER_PARTNER: world.shortLink, PORT: port });
	await import('../examples/shop/server.ts');
}

function readOptions(): { port: string; 'persist-to'?: string | undefined } {
	const { values } = parseArgs({ options: { port: { type: 'string', default: '3000' }, 'persist-to': { type: 'string' } } });
	if (!/^\d{1,5}$/.test(values.port)) throw new Failure('--port must be a number from 1 to 65535');
	return values;
}
