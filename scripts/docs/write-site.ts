import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../../testing/root.ts';
import { buildSite } from './site.ts';

/** The folder from which the Worker serves the site; it is not committed. */
export const SITE = join(ROOT, 'public/docs');

/**
 * Builds the site in a folder and returns the number of files. It writes only changed files and removes old ones, so that a running server
 * never finds the folder empty.
 */
export function writeSite(folder = SITE): number {
	const files = buildSite();
	mkdirSync(folder, { recursive: true });
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		const file = join(entry.parentPath, entry.name);
		if (entry.isFile() && !files.has(file.slice(folder.length + 1))) rmSync(file);
	}
	for (const [name, text] of files) {
		const file = join(folder, name);
		if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	}
	return files.size;
}
