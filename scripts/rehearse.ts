import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCloud } from '../testing/cloudflare/cloud.ts';
import { runScript } from '../testing/failure.ts';
import { runWrangler } from '../testing/wrangler.ts';
import { deploy } from './deploy/deploy.ts';
import { ownSurroundings } from './deploy/surroundings.ts';

// npm run deploy:rehearse: runs npm run deploy against a local simulation of Cloudflare's API. It needs no account and leaves nothing behind.

// Ensures that neither this script nor wrangler reaches a real account.
for (const name of Object.keys(process.env)) if (/^(CLOUDFLARE|CF)_/.test(name)) delete process.env[name];
// In CI a SETUP_TOKEN would be required, and PROGRAM_KEY belongs to a real service.
for (const name of ['CI', 'PROGRAM_KEY']) delete process.env[name];

await runScript(async () => {
	const folder = mkdtempSync(join(tmpdir(), 'affiliate-rehearsal-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const cloud = await startCloud();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		process.once(signal, () => void cloud.stop().finally(() => process.exit(130)));
	const env = { CLOUDFLARE_API_BASE_URL: cloud.url, CLOUDFLARE_API_TOKEN: cloud.token };
	const account = { CLOUDFLARE_ACCOUNT_ID: cloud.accounts[0]?.id ?? '' };
	console.log("A rehearsal: this machine simulates Cloudflare's API and the account.\n");
	try {
		const code = await deploy([...process.argv.slice(2), '--config', join(folder, 'wrangler.deploy.toml')], {
			...ownSurroundings(),
			env: { ...process.env, ...env },
			fetch: cloud.fetch,
			isHost: () => Promise.resolve(false),
			wrangler: (args) => runWrangler(args, 'collect', { env: { ...env, ...account } }),
		});
		console.log('\nThat was a rehearsal. Its account, database, address and tokens are gone. To deploy: npm run deploy');
		return code;
	} finally {
		await cloud.stop();
	}
});
