import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Failure } from '../../testing/failure.ts';
import { exitOf } from '../../testing/wrangler.ts';

const BLOCK_TIMEOUT_MS = 300_000;
const END = '\u001e';

/** One shell for all commands of a guide, so that variables persist. */
export class Shell {
	readonly #child: ChildProcess;
	readonly #cwd: string;
	readonly #ended: Promise<number>;
	#output = '';
	#count = 0;

	constructor(cwd: string, env: Readonly<Record<string, string>>) {
		this.#cwd = cwd;
		// The shell gets its own process group, so that any processes left running can be ended with it.
		this.#child = spawn('sh', ['-e'], { cwd, env: { ...process.env, ...env }, stdio: 'pipe', detached: true });
		this.#ended = exitOf(this.#child);
		for (const stream of [this.#child.stdout, this.#child.stderr]) {
			stream?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
		}
	}

	/** Runs the commands and returns their output. Fails if one of them fails. */
	async run(commands: string): Promise<string> {
		this.#count += 1;
		const file = `block-${this.#count}.sh`;
		writeFileSync(join(this.#cwd, file), `${commands}\n`);
		this.#output = '';
		this.#child.stdin?.write(`. ./${file} </dev/null\nprintf '${END}'\n`);
		const timeout = AbortSignal.timeout(BLOCK_TIMEOUT_MS);
		const end = await Promise.race([this.#ended, this.#marked(timeout)]);
		if (end === 'done') return this.#output.slice(0, this.#output.indexOf(END));
		throw new Failure(
			end === 'late' ? `not finished after ${BLOCK_TIMEOUT_MS / 1000} seconds:\n${this.#output}` : `it failed (${end}):\n${this.#output}`,
		);
	}

	/** Starts a server in the background and waits until it responds. */
	async serve(commands: string, url: string): Promise<void> {
		await this.run(`{\n${commands}\n} >serve.log 2>&1 &`);
		for (let attempt = 0; attempt < 100; attempt += 1) {
			const isThere = await fetch(url).then(
				() => true,
				() => false,
			);
			if (isThere) return;
			await setTimeout(100);
		}
		throw new Failure(`no response from ${url}:\n${await this.run('cat serve.log')}`);
	}

	async close(): Promise<void> {
		if (this.#child.pid !== undefined) {
			try {
				process.kill(-this.#child.pid, 'SIGTERM');
			} catch {
				// The shell has already exited.
			}
		}
		await this.#ended;
	}

	async #marked(timeout: AbortSignal): Promise<'done' | 'late'> {
		while (!timeout.aborted) {
			if (this.#output.includes(END)) return 'done';
			await setTimeout(20);
		}
		return 'late';
	}
}
