import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// `npm ci` on another system refuses a lockfile without that system's binaries.

interface Package {
	readonly version?: string;
	readonly integrity?: string;
	readonly resolved?: string;
	readonly link?: boolean;
	readonly dependencies?: Record<string, string>;
	/** Only the root package has this field. */
	readonly devDependencies?: Record<string, string>;
	readonly optionalDependencies?: Record<string, string>;
}

const lock: { packages: Record<string, Package> } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'));
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

test('every package has an integrity hash', () => {
	expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
});

test('every dependency of every package is locked, even binaries of other systems', () => {
	const missing = Object.entries(lock.packages).flatMap(([path, { dependencies, devDependencies, optionalDependencies }]) =>
		Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
			.filter((name) => !isLocked(path, name))
			.map((name) => `${path} needs ${name}`),
	);
	expect(missing).toEqual([]);
});

test.each(['package-lock.json', 'bench/peer/package-lock.json'])('%s names no registry', (file) => {
	const { packages: all }: typeof lock = JSON.parse(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'));
	expect(
		Object.values(all)
			.map(({ resolved }) => resolved)
			.filter((resolved) => resolved !== undefined),
	).toEqual([]);
});

/** Looks up a package as Node does: next to the importer, then one folder up at a time. */
function isLocked(path: string, name: string): boolean {
	for (let from = path; ; from = from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0))) {
		if (lock.packages[from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`]) return true;
		if (from === '') return false;
	}
}
