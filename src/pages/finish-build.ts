import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Manifest } from 'vite';

// Runs after Vite has written an entry's files.

/** Manifests are not part of the pages. */
export const MANIFESTS = '.vite';

export function manifestOf(name: string): string {
	return `${MANIFESTS}/${name}.json`;
}

/** Before its name gets a hash. */
export const OUTLINE = 'outline.css';

/** Writes `open.html`, for pages without navigation, and `modules.json`, for src/http/preloads.ts. Lets the outline paint first. */
export function finishPages(out: string, page: string): void {
	const html = readFileSync(join(out, page, 'index.html'), 'utf8');
	const bare = html.replace(/<!-- outline[^]*<!-- end of the outline -->/, '');
	if (bare === html) throw new Error(`${page}/index.html has no outline`);
	writeFileSync(join(out, page, 'open.html'), bare);
	writeFileSync(join(out, page, 'index.html'), outlineFirst(html, hashedOutline(out)));

	const manifest = readManifest(out, page);
	const entry = filesOf(manifest, `${page}/index.html`);
	const lazy = Object.keys(manifest).filter((name) => manifest[name]?.isDynamicEntry === true);
	const modules = Object.fromEntries(lazy.map((name) => [name, [...filesOf(manifest, name)].filter((file) => !entry.has(file))]));
	writeFileSync(join(out, page, 'modules.json'), JSON.stringify(modules));
}

/** Returns the hashed name. */
function hashedOutline(out: string): string {
	const styles = withoutUnusedVariables(readFileSync(join(out, OUTLINE), 'utf8'));
	const name = `assets/outline-${createHash('sha256').update(styles).digest('base64url').slice(0, 8)}.css`;
	writeFileSync(join(out, name), styles);
	return name;
}

/** The outline uses few of the theme's variables, and nothing is painted before its stylesheet is there. */
function withoutUnusedVariables(styles: string): string {
	return styles.replaceAll(/(--(?!lightningcss)[\w-]+):[^;}]*;/g, (declaration, name: string) =>
		styles.includes(`var(${name})`) ? declaration : '',
	);
}

/** The outline waits only for its small stylesheet. Other stylesheets load later, and scripts wait for them. */
function outlineFirst(html: string, outline: string): string {
	const [styles = ''] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
	if (styles === '') throw new Error('The page has no stylesheet');
	return html
		.replace(styles, '')
		.replace('<script', `<link rel="stylesheet" href="/pages/${outline}">\n\t\t<script`)
		.replace('<noscript>', `${styles}\n\t\t<noscript>`);
}

/** Throws if an entry and its imports have more script than the limit, in KB after gzip. */
export function requireLight(out: string, name: string, limit: number): void {
	const files = [...filesOf(readManifest(out, name), `${name}/index.html`)].filter((file) => file.endsWith('.js'));
	const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(out, file))).byteLength, 0);
	const weight = `${name}: ${(bytes / 1024).toFixed(1)} KB of script at the start, gzip, at most ${limit}`;
	if (bytes > limit * 1024) throw new Error(weight);
	process.stdout.write(`${weight}\n`);
}

function readManifest(out: string, name: string): Manifest {
	return JSON.parse(readFileSync(join(out, manifestOf(name)), 'utf8'));
}

/** The files of a chunk, its styles and its imports. */
function filesOf(manifest: Manifest, name: string, known = new Set<string>()): Set<string> {
	const chunk = manifest[name];
	if (!chunk || known.has(chunk.file)) return known;
	for (const file of [chunk.file, ...(chunk.css ?? [])]) known.add(file);
	for (const imported of chunk.imports ?? []) filesOf(manifest, imported, known);
	return known;
}
