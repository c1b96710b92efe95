import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, templateFor } from '../../../scripts/deploy/config.ts';
import { deploy } from '../../../scripts/deploy/deploy.ts';
import type { Surroundings } from '../../../scripts/deploy/surroundings.ts';
import { type Fault, startCloud, type SimulatedCloud } from '../../../testing/cloudflare/cloud.ts';
import { Failure } from '../../../testing/failure.ts';
import { ROOT } from '../../../testing/root.ts';
import { runWrangler } from '../../../testing/wrangler.ts';

/** Deploys to their own account, from their own folder. */
export interface Operator {
	readonly cloud: SimulatedCloud;
	readonly folder: string;
	/** wrangler.deploy.toml */
	readonly file: string;
	/** npm run deploy -- ...args. Returns its exit code and output. */
	readonly deploy: (args?: readonly string[], otherwise?: Partial<Surroundings>) => Promise<Run>;
	readonly config: () => string;
	readonly stop: () => Promise<void>;
}

/** The queues of wrangler.toml, in the order in which they are created. */
export const QUEUES = readConfig(templateFor(join(ROOT, 'wrangler.toml'), 'affiliate-tracker', join(ROOT, 'wrangler.deploy.toml'))).queues;

export const OUT_OF_ORDER: Fault = { status: 500, code: 10_013, message: 'workers.api.error.unknown' };

export interface Run {
	readonly code: number;
	readonly said: string;
}

/** A new account, or one that already has a deployment. */
export async function startOperator({ cloud: given }: { readonly cloud?: SimulatedCloud } = {}): Promise<Operator> {
	const cloud = given ?? (await startCloud());
	const folder = mkdtempSync(join(tmpdir(), 'affiliate-operator-'));
	const file = join(folder, 'wrangler.deploy.toml');
	const env = { CLOUDFLARE_API_BASE_URL: cloud.url, CLOUDFLARE_API_TOKEN: cloud.token };
	return {
		cloud,
		folder,
		file,
		async deploy(args = [], otherwise = {}) {
			const lines: string[] = [];
			const surroundings: Surroundings = {
				env,
				say: (text) => lines.push(text),
				ask: undefined,
				wait: () => Promise.resolve(),
				fetch: cloud.fetch,
				isHost: () => Promise.resolve(false),
				wrangler: (command) => runWrangler(command, 'collect', { env }),
				build: () => Promise.resolve(),
				commit: () => 'abc1234',
				wranglerToml: join(ROOT, 'wrangler.toml'),
				...otherwise,
			};
			const code = await deploy(['--config', file, ...args], surroundings).catch((error: unknown) => {
				if (!(error instanceof Failure)) throw error;
				lines.push(error.message);
				return error.exitCode;
			});
			return { code, said: lines.join('\n') };
		},
		config: () => readFileSync(file, 'utf8'),
		async stop() {
			if (!given) await cloud.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
