import { runScript } from '../testing/failure.ts';
import { GOES_ON } from './deploy/cloudflare.ts';
import { deploy } from './deploy/deploy.ts';
import { ownSurroundings } from './deploy/surroundings.ts';

// npm run deploy [-- --help]: makes what the Cloudflare account lacks, migrates, deploys, and tries what it deployed.

// By process.exit, which ends wrangler too and takes away what it was given.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.once(signal, () => {
		console.error(`\nStopped. ${GOES_ON}`);
		process.exit(130);
	});
}

await runScript(() => deploy(process.argv.slice(2), ownSurroundings()));
