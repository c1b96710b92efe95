import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { Failure, runScript } from '../testing/failure.ts';
import { runWrangler } from '../testing/wrangler.ts';

// npm run deploy: makes what the account lacks, migrates, deploys dist/worker. Safe to run again. Arguments go to `wrangler deploy`.

const DATABASE = 'affiliate-tracker';
const QUEUES = ['affiliate-dead-letters', 'affiliate-clicks', 'affiliate-effects'];
const SECRETS = ['SECRETS', 'SETUP_TOKEN'];

await runScript(async () => {
	await ensure(['d1', 'info', DATABASE], ['d1', 'create', DATABASE]);
	for (const queue of QUEUES) await ensure(['queues', 'info', queue], ['queues', 'create', queue]);
	await run(['d1', 'migrations', 'apply', 'DB', '--remote']);

	const missing = await missingSecrets();
	const values = Object.fromEntries(missing.map((name) => [name, randomBytes(24).toString('hex')]));
	if (values['SECRETS']) console.log('\nSECRETS gets a random value that only the Worker will know.');
	if (values['SETUP_TOKEN']) console.log(`SETUP_TOKEN, for the sign-up of the first owner: ${values['SETUP_TOKEN']}`);
	await deploy(values);
	return 0;
});

/** Makes a thing that the account does not have. Whatever else keeps the first command from working stops the second too. */
async function ensure(look: readonly string[], make: readonly string[]): Promise<void> {
	const { code } = await runWrangler([...look, '--env='], 'collect');
	if (code !== 0) await run(make);
}

/**
 * The secrets that the Worker does not have yet. An existing value is never replaced: without it, click ids and program
 * keys of the past could not be read any more. So whatever is not a clear answer stops the deployment.
 */
async function missingSecrets(): Promise<string[]> {
	const { code, output } = await runWrangler(['secret', 'list', '--format', 'json', '--env='], 'collect');
	if (code !== 0) {
		if (/\b10007\b|Worker "[^"]*" (was )?not found/.test(output)) return SECRETS;
		throw new Failure(`The secrets of the Worker could not be listed:\n${output}`);
	}
	const list = z.array(z.object({ name: z.string() })).parse(JSON.parse(output.slice(output.indexOf('['))));
	return SECRETS.filter((name) => !list.some((secret) => secret.name === name));
}

async function deploy(secrets: Readonly<Record<string, string>>): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'affiliate-deploy-'));
	try {
		const file = join(folder, 'secrets.json');
		writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
		const withSecrets = Object.keys(secrets).length > 0 ? ['--secrets-file', file] : [];
		await run(['deploy', 'dist/worker/index.mjs', '--no-bundle', ...withSecrets, ...process.argv.slice(2)]);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function run(args: readonly string[]): Promise<void> {
	console.log(`\n> wrangler ${args.join(' ')}`);
	const { code } = await runWrangler([...args, '--env='], 'show');
	if (code !== 0) throw new Failure(`wrangler ${args.slice(0, 2).join(' ')} failed.`, code);
}
