import { execFileSync } from 'node:child_process';

/**
 * Where a run begins that is told no seed: elsewhere for each commit, so that every push tries what none before it did, and a run
 * of the same commit tries the same again. Without git, wherever the clock says.
 */
export function seedOfCommit(): number {
	try {
		const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
			cwd: import.meta.dirname,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		return Number.parseInt(commit.slice(0, 8), 16);
	} catch {
		return Date.now() % 2 ** 32;
	}
}
