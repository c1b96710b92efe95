import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCloud } from '../testing/cloudflare/cloud.ts';
import { runScript } from '../testing/failure.ts';
import { runWrangler } from '../testing/wrangler.ts';
import { deploy } from './deploy/deploy.ts';
import { ownSurroundings } from './deploy/surroundings.ts';

// npm run deploy:rehearse: npm run deploy against a local copy of Cloudflare's API, so that it needs no account and leaves nothing behind.

// Neither our calls nor wrangler's may reach a real account.
for (const name of Object.keys(process.env)) if (/^(CLOUDFLARE|CF)_/.test(name)) delete process.env[name];
// Without these, rules for the logs of workflows and programs of a real service would apply.
for (const name of ['CI', 'PROGRAM_KEY']) delete process.env[name];

await runScript(async () => {
	const folder = mkdtempSync(join(tmpdir(), 'affiliate-rehearsal-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const cloud = await startCloud();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		process.once(signal, () => void cloud.stop().finally(() => process.exit(130)));
	const env = { CLOUDFLARE_API_BASE_URL: cloud.url, CLOUDFLARE_API_TOKEN: cloud.token };
	const account = { CLOUDFLARE_ACCOUNT_ID: cloud.accounts[0]?.id ?? '' };
	console.log("A rehearsal: Cloudflare's API and the account are simulated on this machine.\n");
	try {
		const code = await deploy([...process.argv.slice(2), '--config', join(folder, 'wrangler.deploy.toml')], {
			...ownSurroundings(),
			env: { ...process.env, ...env },
			fetch: cloud.fetch,
			isHost: () => Promise.resolve(false),
			wrangler: (args) => runWrangler(args, 'collect', { env: { ...env, ...account } }),
		});
		console.log('\nThat was a rehearsal. Its account, database, address and tokens are deleted. To deploy: npm run deploy');
		return code;
	} finally {
		await cloud.stop();
	}
});
