import { runScript } from '../testing/failure.ts';
import { GOES_ON } from './deploy/cloudflare.ts';
import { deploy } from './deploy/deploy.ts';
import { ownSurroundings } from './deploy/surroundings.ts';

// npm run deploy [-- --help]: creates what is missing in the Cloudflare account, migrates, deploys, and checks the result.

// process.exit runs the exit handlers, which stop wrangler and delete the secrets file.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.once(signal, () => {
		console.error(`\nStopped. ${GOES_ON}`);
		process.exit(130);
	});
}

await runScript(() => deploy(process.argv.slice(2), ownSurroundings()));
