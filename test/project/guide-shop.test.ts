import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readGuide, snippetsOf } from '../../scripts/docs/guides.ts';
import { freePort } from '../../testing/free-port.ts';

const SDK = new URL('../../src/sdk/index.ts', import.meta.url).href;

/** Runs the guide's shop on its own port until the test ends, with this code in place of the SDK. */
async function openShop(sdk: string): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'affiliate-shop-'));
	const packed = join(folder, 'node_modules/affiliate-tracker');
	mkdirSync(packed, { recursive: true });
	writeFileSync(join(packed, 'package.json'), '{"type":"module","exports":{"./sdk":"./sdk.js"}}');
	writeFileSync(join(packed, 'sdk.js'), sdk);
	writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
	for (const { label, text } of snippetsOf(readGuide('server-only'))) {
		if (label.endsWith('.js')) writeFileSync(join(folder, label), text);
	}
	const port = await freePort();
	const shop = spawn(process.execPath, ['shop.js'], {
		cwd: folder,
		// Nothing listens on this port.
		env: { ...process.env, TRACKER_URL: `http://127.0.0.1:${await freePort()}`, TRACKER_KEY: 'prg_1', PORT: String(port) },
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	onTestFinished(() => {
		shop.kill();
		rmSync(folder, { recursive: true, force: true });
	});
	await once(shop.stdout, 'data');
	return `127.0.0.1:${port}`;
}

test("the guide's shop survives a failed service and an invalid address", async () => {
	const impatient = `import { Tracker as Patient } from ${JSON.stringify(SDK)};
		export * from ${JSON.stringify(SDK)};
		export class Tracker extends Patient { constructor(options) { super({ ...options, retries: 0 }); } }`;
	const shop = await openShop(impatient);
	const sale = await fetch(`http://${shop}/buy?customer=c`, { method: 'POST' });
	expect(await sale.text()).toBe('{"paid":true,"commission":false}');
	const nonsense = connect(Number(shop.split(':')[1]), '127.0.0.1').end('GET // HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n');
	expect(String(await once(nonsense, 'data'))).toContain('500');
	expect((await fetch(`http://${shop}/?aff=pat`)).status).toBe(200);
});
