import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Failure } from './failure.ts';
import { ROOT } from './root.ts';

const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');

const STOP_TIMEOUT_MS = 5_000;

export interface Finished {
	readonly code: number;
	/** What it wrote, stdout and stderr as they came. */
	readonly output: string;
	/** Without its warnings. */
	readonly stdout: string;
}

/** What a command answers by --json, whatever it says before. */
export function answerIn({ stdout }: Pick<Finished, 'stdout'>): unknown {
	const [json] = /^[[{][^]*[\]}]/m.exec(stdout) ?? [];
	if (json === undefined) throw new Failure('wrangler said nothing that could be read');
	return JSON.parse(json);
}

/**
 * Starts wrangler with this very Node, which is the one of package.json, and no standard input: it must never ask. What it writes
 * is shown as it is, read by the caller as it comes, or collected.
 */
export function startWrangler(args: readonly string[], io: 'show' | 'read' | 'collect', env: Env = {}): ChildProcess {
	const out = io === 'show' ? 'inherit' : 'pipe';
	// Through a pipe it would take our terminal for none.
	const colour = process.stdout.isTTY && process.env['NO_COLOR'] === undefined ? { FORCE_COLOR: '1' } : {};
	return spawn(process.execPath, [WRANGLER, ...args], {
		cwd: ROOT,
		// A process group of its own: Ctrl-C reaches only us, and whatever is left of it can be ended as one.
		detached: true,
		stdio: ['ignore', out, out],
		env: { ...process.env, ...env, ...(io === 'read' ? colour : {}), WRANGLER_HIDE_BANNER: 'true', WRANGLER_SEND_METRICS: 'false' },
	});
}

type Env = Readonly<Record<string, string>>;

interface How {
	/** Ends it early. */
	readonly signal?: AbortSignal;
	/** In addition to our own. */
	readonly env?: Env;
}

/** Runs wrangler to its end, which is at the latest our own. */
export async function runWrangler(args: readonly string[], io: 'show' | 'collect', { signal, env }: How = {}): Promise<Finished> {
	const child = startWrangler(args, io, env);
	const stop = () => child.kill('SIGTERM');
	signal?.addEventListener('abort', stop);
	process.once('exit', stop);
	let [output, stdout] = ['', ''];
	for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
	child.stdout?.on('data', (text: string) => (stdout += text));
	const code = await exitOf(child);
	signal?.removeEventListener('abort', stop);
	process.off('exit', stop);
	return { code, output, stdout };
}

/** Asks wrangler to end with all its children, and makes sure of it. */
export async function stopWrangler(child: ChildProcess, ended: Promise<number>): Promise<void> {
	if (child.pid === undefined) return;
	child.kill('SIGTERM');
	await Promise.race([ended, setTimeout(STOP_TIMEOUT_MS, undefined, { ref: false })]);
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch {
		// The usual case: nothing is left of the group.
	}
	await ended;
}

/** The child's exit code; 1 where a signal ended it. */
export function exitOf(child: ChildProcess): Promise<number> {
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => resolve(code ?? 1));
	});
}
