import { spawn, spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';
import { Failure } from '../../testing/failure.ts';
import { ROOT } from '../../testing/root.ts';
import { exitOf, type Finished, runWrangler } from '../../testing/wrangler.ts';

/** Everything outside this process that a deployment uses, except Cloudflare's API. */
export interface Surroundings {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly say: (text: string) => void;
	/** Undefined without a terminal. */
	readonly ask: ((question: string) => Promise<string>) | undefined;
	readonly wait: (ms: number) => Promise<unknown>;
	/** Calls the deployed Worker. */
	readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
	/** Whether a host name resolves. */
	readonly isHost: (host: string) => Promise<boolean>;
	readonly wrangler: (args: readonly string[]) => Promise<Finished>;
	readonly build: () => Promise<void>;
	/** The checked-out commit; undefined outside a git repository. */
	readonly commit: () => string | undefined;
	readonly wranglerToml: string;
}

export function ownSurroundings(): Surroundings {
	const hasTerminal = process.stdin.isTTY && process.stdout.isTTY;
	return {
		env: process.env,
		say: (text) => console.log(text),
		ask: hasTerminal ? (question) => askAt(process, question) : undefined,
		wait: setTimeout,
		fetch: (url, init) => fetch(url, init),
		isHost: (host) =>
			lookup(host).then(
				() => true,
				() => false,
			),
		wrangler: (args) => runWrangler(args, 'collect'),
		build,
		commit,
		wranglerToml: join(ROOT, 'wrangler.toml'),
	};
}

interface Terminal {
	readonly stdin: NodeJS.ReadableStream;
	readonly stdout: NodeJS.WritableStream;
}

/** Ctrl-C or Ctrl-D stops the deployment. All questions come first, so nothing has been changed yet. */
export async function askAt({ stdin, stdout }: Terminal, question: string): Promise<string> {
	const terminal = createInterface({ input: stdin, output: stdout });
	const left = new Promise<never>((_, reject) => terminal.once('close', () => reject(new Failure('Stopped. Nothing was changed.', 130))));
	try {
		return await Promise.race([terminal.question(question).catch(() => left), left]);
	} finally {
		terminal.close();
	}
}

async function build(): Promise<void> {
	const child = spawn('npm', ['run', '--silent', 'build'], {
		cwd: ROOT,
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: process.platform === 'win32',
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	if ((await exitOf(child)) !== 0) throw new Failure(`The build of the Worker failed. Nothing was changed:\n${output}`);
}

function commit(): string | undefined {
	const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
	return status === 0 ? stdout.trim() : undefined;
}
