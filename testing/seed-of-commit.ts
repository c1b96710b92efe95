import { execFileSync } from 'node:child_process';

/**
 * Each commit has its own default seed, so that every push tests new histories and a rerun repeats them. Without git, the current time.
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
