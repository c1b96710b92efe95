import { runScript } from '../testing/failure.ts';
import { deploy } from './deploy/deploy.ts';
import { ownSurroundings } from './deploy/surroundings.ts';

// npm run deploy [-- --help]: makes what the Cloudflare account lacks, migrates, deploys, and tries what it deployed.

await runScript(() => deploy(process.argv.slice(2), ownSurroundings()));
