import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../testing/failure.ts';
import { startSpell } from './cpu.ts';
import { applyLoad, httpRequest, type Request } from './load.ts';
import { measureSlice, type Pair, pairOf, requestsOf, type Slice } from './measure.ts';
import type { Options } from './options.ts';
import { CLICK_BODY, NOOP } from './rows.ts';
import type { Service } from './service.ts';
import { FIGURES_HEAD, figuresLines } from './table.ts';

// The same click and sale on Fastify and PostgreSQL with default settings. Customers 1 to 50,000 exist.

const FOLDER = join(import.meta.dirname, 'peer');
const START_LIMIT_MS = 20_000;
const WARM_UP_REQUESTS = 500;

/** Measures the peer and the no-op alternately, if PostgreSQL is installed. */
export async function comparePeer(service: Service, folder: string, options: Options): Promise<readonly Pair[]> {
	const programs = findPostgres();
	if (programs === undefined) {
		console.log('\nSkipped the comparison with PostgreSQL: initdb and postgres are neither on the PATH nor in /usr/lib/postgresql.');
		return [];
	}
	if (!existsSync(join(FOLDER, 'node_modules')))
		throw new Failure('Fastify and pg are not installed. Run npm ci --prefix bench/peer. (The service does not depend on them.)');
	const postgres = await startPostgres(programs, join(folder, 'postgres'));
	const server = fork(join(FOLDER, 'server.mjs'), [postgres.socketFolder], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
	try {
		const [{ port }] = (await once(server, 'message')) as [{ port: number }];
		return await measurePeer(service, new URL(`http://127.0.0.1:${port}`), [server, postgres.process], options);
	} finally {
		server.kill();
		postgres.process.kill('SIGINT');
		await once(postgres.process, 'exit');
	}
}

interface PeerRow {
	readonly name: string;
	readonly requests: number;
	readonly next: () => Request;
}

async function measurePeer(service: Service, url: URL, processes: readonly ChildProcess[], options: Options): Promise<readonly Pair[]> {
	const pids = processes.flatMap(({ pid }) => pid ?? []);
	console.log(`\nFastify, pg and PostgreSQL, with the CPU of all their processes\n${FIGURES_HEAD}`);
	const pairs: Pair[] = [];
	for (const row of peerRows()) {
		await applyLoad(url, 1, WARM_UP_REQUESTS, row.next);
		for (const connections of options.connections) {
			const noops: Slice[] = [];
			const slices: Slice[] = [];
			for (let round = 0; round < options.rounds; round += 1) {
				noops.push(await measureSlice(service, NOOP, connections, options.scale));
				const requests = requestsOf(row, connections, options.scale);
				const stop = startSpell(pids);
				const load = await applyLoad(url, connections, requests, row.next);
				slices.push({ load, requests, spell: stop() });
			}
			const pair = pairOf(row, connections, noops, slices);
			console.log(figuresLines(pair));
			pairs.push(pair);
		}
	}
	return pairs;
}

function peerRows(): readonly PeerRow[] {
	const click = httpRequest('POST', '/click', { 'User-Agent': 'bench' }, JSON.stringify(CLICK_BODY));
	let count = 0;
	const sale = () => {
		count += 1;
		const body = { transaction_id: `order-${count}`, amount_cents: 9_900, customer_key: `customer-${count}` };
		return httpRequest('POST', '/sale', { Authorization: 'Bearer prg_peer' }, JSON.stringify(body));
	};
	return [
		{ name: 'peer: click', requests: 6_000, next: () => click },
		{ name: 'peer: sale', requests: 2_400, next: sale },
	];
}

/** The folder with PostgreSQL's programs; undefined if it is not installed. */
function findPostgres(): string | undefined {
	const folders = [...(process.env['PATH'] ?? '').split(':'), ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed()];
	return folders.find((candidate) => existsSync(join(candidate, 'initdb')) && existsSync(join(candidate, 'postgres')));
}

async function startPostgres(programs: string, folder: string): Promise<{ process: ChildProcess; socketFolder: string }> {
	const data = join(folder, 'data');
	mkdirSync(data, { recursive: true });
	// PostgreSQL refuses to run as root, so its own user needs access to this folder.
	const isRoot = process.getuid?.() === 0;
	const asUser = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : [];
	if (isRoot) {
		chmodSync(join(folder, '..'), 0o755);
		execFileSync('chown', ['-R', 'postgres', folder]);
	}
	const [command, ...args] = [...asUser, join(programs, 'initdb'), '-D', data, '-U', 'postgres', '--auth=trust'];
	execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
	const [start, ...options] = [...asUser, join(programs, 'postgres'), '-D', data, '-k', folder, '-c', 'listen_addresses='];
	const started = spawn(start, options, { stdio: 'ignore' });
	const limit = performance.now() + START_LIMIT_MS;
	while (!existsSync(join(folder, '.s.PGSQL.5432'))) {
		if (started.exitCode !== null || performance.now() > limit) throw new Failure('PostgreSQL did not start');
		await sleep(50);
	}
	return { process: started, socketFolder: folder };
}
