import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../../testing/root.ts';
import { buildSite } from './site.ts';

/** Where the site lies, as the Worker serves it; not committed. */
export const SITE = join(ROOT, 'public/docs');

/**
 * Makes the site in a folder; the answer is how many files it has. It writes what differs, and takes away what is no part of it any
 * more: whoever serves the folder meanwhile never finds it empty.
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
