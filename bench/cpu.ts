import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { Failure } from '../testing/failure.ts';

// CPU time from Linux's /proc. It is counted in ticks of 10 ms, so a measurement should last at least a second.

const TICK_MICROS = 10_000;

interface Process {
	readonly pid: number;
	readonly name: string;
	readonly parent: number;
	/** Includes child processes that have ended. */
	readonly cpuMicros: number;
}

/** The child of this process with that name. */
export function childNamed(name: string): number {
	const found = processes().findLast((candidate) => candidate.parent === process.pid && candidate.name === name);
	if (!found) throw new Failure(`There is no process ${name}, or /proc does not show it: the benchmark needs Linux`);
	return found.pid;
}

/** CPU time of a process and its descendants, in microseconds. */
export function cpuOf(pid: number): number {
	const all = processes();
	let micros = 0;
	let level = all.filter((candidate) => candidate.pid === pid);
	while (level.length > 0) {
		micros += level.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0);
		level = all.filter((candidate) => level.some((above) => above.pid === candidate.parent));
	}
	return micros;
}

/** CPU time of a process's living threads in microseconds, for measurements too short for ticks. */
export function preciseCpuOf(pid: number): number {
	const threads = readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
	return threads.reduce((sum, schedstat) => sum + Number(schedstat.split(' ')[0]) / 1_000, 0);
}

export interface Spell {
	readonly elapsedMs: number;
	/** CPU time of the measured processes. */
	readonly cpuMicros: number;
	/** The share of the machine used by all processes except the measured ones and this one. */
	readonly foreignShare: number;
}

/** Starts a measurement. The returned function ends it. */
export function startSpell(pids: readonly number[]): () => Spell {
	const measured = () => pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
	const start = { at: performance.now(), measured: measured(), own: process.cpuUsage(), machine: machineMicros() };
	return () => {
		const machine = machineMicros() - start.machine;
		const cpuMicros = measured() - start.measured;
		const { user, system } = process.cpuUsage(start.own);
		const elapsedMs = performance.now() - start.at;
		const foreign = Math.max(0, machine - cpuMicros - user - system);
		return { elapsedMs, cpuMicros, foreignShare: foreign / (elapsedMs * 1_000 * cpus().length) };
	};
}

/** The busy time of all processors so far. */
function machineMicros(): number {
	const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '')
		.split(/\s+/)
		.map(Number);
	return (user + nice + system + irq + softirq + steal) * TICK_MICROS;
}

function processes(): Process[] {
	return readdirSync('/proc')
		.filter((entry) => /^\d+$/.test(entry))
		.flatMap((pid) => readProcess(Number(pid)) ?? []);
}

/** Undefined if the process has just ended. */
function readProcess(pid: number): Process | undefined {
	let stat: string;
	try {
		stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	} catch {
		return undefined;
	}
	// The name is in parentheses and may contain any character.
	const end = stat.lastIndexOf(')');
	const fields = stat.slice(end + 2).split(' ');
	const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
	return { pid, name: stat.slice(stat.indexOf('(') + 1, end), parent: Number(fields[1]), cpuMicros: ticks * TICK_MICROS };
}
