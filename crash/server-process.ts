import { type ChildProcess, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Unstable_MiniflareWorkerOptions } from 'wrangler';
import type { BuiltWorker } from '../testing/built-worker.ts';

export interface Launch {
	readonly worker: Omit<Unstable_MiniflareWorkerOptions['workerOptions'], 'modulesRules'> & BuiltWorker['script'];
	readonly dataFolder: string;
	readonly logPath: string;
	/** True for the first start, which migrates the database. */
	readonly isNew: boolean;
}

/** A request to the server process over its IPC channel. The answer is always a number. */
export type Ask = { readonly id: number } & (
	| { readonly what: 'tick' | 'retire'; readonly at: number }
	| { readonly what: 'waiting rows' | 'stored clicks' }
	| { readonly what: 'stop' }
);

export type Reply = { readonly ready: string } | { readonly id: number; readonly value: number; readonly error?: string };

const START_LIMIT_MS = 180_000;
const DEATH_LIMIT_MS = 60_000;

export interface ServerProcess {
	/** Without a trailing slash. */
	readonly url: string;
	readonly startedInMs: number;
	/** Runs the crons once, at this time (ms). */
	tick(at: number): Promise<unknown>;
	/** Retires clicks that are too old at this time (ms). */
	retire(at: number): Promise<unknown>;
	waitingRows(): Promise<number>;
	storedClicks(): Promise<number>;
	/** Sends SIGKILL to the whole process group, node and workerd, and waits until both are gone. */
	kill(): Promise<void>;
	/** Shuts down gracefully. */
	stop(): Promise<void>;
}

export async function startServer(launch: Launch): Promise<ServerProcess> {
	const startedAt = performance.now();
	const launchPath = path.join(launch.dataFolder, 'launch.json');
	writeFileSync(launchPath, JSON.stringify(launch));
	const child = fork(path.join(import.meta.dirname, 'server.ts'), [launchPath], {
		detached: true,
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	const url = await readyUrl(child);
	const ask = askerOf(child);
	return {
		url: url.replace(/\/$/, ''),
		startedInMs: performance.now() - startedAt,
		tick: (at) => ask({ what: 'tick', at }),
		retire: (at) => ask({ what: 'retire', at }),
		waitingRows: () => ask({ what: 'waiting rows' }),
		storedClicks: () => ask({ what: 'stored clicks' }),
		async kill() {
			if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
			await isGone(child, url);
		},
		async stop() {
			await ask({ what: 'stop' });
			await isGone(child, url);
		},
	};
}

function readyUrl(child: ChildProcess): Promise<string> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(new Error('The server did not start in time')), START_LIMIT_MS);
		child.once('exit', (code) => reject(new Error(`The server exited while starting, with code ${code}`)));
		child.once('message', (message: Reply) => {
			clearTimeout(timer);
			if ('ready' in message) resolve(message.ready);
			else reject(new Error('The server answered before it was ready'));
		});
	});
}

type Question<Asked = Ask> = Asked extends Ask ? Omit<Asked, 'id'> : never;

function askerOf(child: ChildProcess): (question: Question) => Promise<number> {
	let lastId = 0;
	const waiting = new Map<number, { resolve: (value: number) => void; reject: (error: Error) => void }>();
	child.on('message', (message: Reply) => {
		if (!('id' in message)) return;
		const asked = waiting.get(message.id);
		waiting.delete(message.id);
		if (message.error === undefined) asked?.resolve(message.value);
		else asked?.reject(new Error(message.error));
	});
	child.once('exit', () => {
		for (const { reject } of waiting.values()) reject(new Error('The server is gone'));
		waiting.clear();
	});
	return (question) =>
		new Promise((resolve, reject) => {
			lastId += 1;
			const id = lastId;
			waiting.set(id, { resolve, reject });
			child.send({ ...question, id }, (error) => {
				if (error && waiting.delete(id)) reject(error);
			});
		});
}

/** Waits for the sockets to close, because the process entry of a dead process can remain for seconds. */
async function isGone(child: ChildProcess, url: string): Promise<void> {
	const limit = performance.now() + DEATH_LIMIT_MS;
	while (child.exitCode === null && child.signalCode === null) await patience(limit);
	while (await isListening(url)) await patience(limit);
}

async function patience(limit: number): Promise<void> {
	if (performance.now() > limit) throw new Error('The server did not stop in time');
	await sleep(10);
}

function isListening(url: string): Promise<boolean> {
	const { hostname, port } = new URL(url);
	return new Promise((resolve) => {
		const socket = connect({ host: hostname, port: Number(port) });
		socket.once('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.once('error', () => resolve(false));
	});
}
