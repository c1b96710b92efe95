import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Failure } from './failure.ts';
import { ROOT } from './root.ts';

const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');

const STOP_TIMEOUT_MS = 5_000;

export interface Finished {
	readonly code: number;
	/** stdout and stderr, in the order of writing. */
	readonly output: string;
	/** stdout alone, without the warnings on stderr. */
	readonly stdout: string;
}

/** Parses what a command prints with --json, after any other output. */
export function answerIn({ stdout }: Pick<Finished, 'stdout'>): unknown {
	const [json] = /^[[{][^]*[\]}]/m.exec(stdout) ?? [];
	if (json === undefined) throw new Failure('The output of wrangler has no JSON');
	return JSON.parse(json);
}

/**
 * Starts wrangler with the current Node, without standard input, so that it never prompts. Its output is printed, read line by line by the
 * caller, or collected.
 */
export function startWrangler(args: readonly string[], io: 'show' | 'read' | 'collect', env: Env = {}): ChildProcess {
	const out = io === 'show' ? 'inherit' : 'pipe';
	// Through a pipe, wrangler cannot see that its output goes to a terminal.
	const color = process.stdout.isTTY && process.env['NO_COLOR'] === undefined ? { FORCE_COLOR: '1' } : {};
	return spawn(process.execPath, [WRANGLER, ...args], {
		cwd: ROOT,
		// In its own process group, Ctrl-C reaches only this process, and all of wrangler's children can be ended together.
		detached: true,
		stdio: ['ignore', out, out],
		env: { ...process.env, ...env, ...(io === 'read' ? color : {}), WRANGLER_HIDE_BANNER: 'true', WRANGLER_SEND_METRICS: 'false' },
	});
}

type Env = Readonly<Record<string, string>>;

interface How {
	readonly signal?: AbortSignal;
	/** Added to this process's environment. */
	readonly env?: Env;
}

/** If this process exits first, it stops wrangler. */
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

/** Also stops all its children, by force if they take too long. */
export async function stopWrangler(child: ChildProcess, ended: Promise<number>): Promise<void> {
	if (child.pid === undefined) return;
	child.kill('SIGTERM');
	await Promise.race([ended, setTimeout(STOP_TIMEOUT_MS, undefined, { ref: false })]);
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch {
		// The usual case: the whole group has exited.
	}
	await ended;
}

/** 1 if a signal ended the child. */
export function exitOf(child: ChildProcess): Promise<number> {
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => resolve(code ?? 1));
	});
}
