import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { ROOT } from '../testing/root.ts';

// Builds the browser scripts of src/browser/ into a module that the Worker serves. The module is committed, so wrangler, vitest, tsc
// and plain Node can import the Worker without a build step.

const BUILT = join(ROOT, 'src/http/browser-scripts.ts');

/** In bytes after gzip. Every page of every shop loads the first script. */
const LIMITS = { 'tracker.js': 2_048, 'tracker-extras.js': 2_048 };

export interface ScriptSize {
	readonly name: string;
	readonly bytes: number;
	readonly limit: number;
}

export interface BuiltScripts {
	readonly module: string;
	readonly sizes: readonly ScriptSize[];
}

/** Builds both scripts. The same sources produce the same text on every machine. */
export async function buildBrowserScripts(): Promise<BuiltScripts> {
	const extras = await bundle('extras.ts', { format: 'esm' });
	const version = hashOf(extras);
	const script = await bundle('tracker.ts', { format: 'iife', define: { EXTRAS_VERSION: JSON.stringify(version) } });
	// An error in the script must not break the page.
	const tracker = `try{${script}}catch(e){console.warn("tracker.js:",e)}`;
	const entries = [
		{ name: 'tracker.js' as const, text: tracker, version: hashOf(tracker) },
		{ name: 'tracker-extras.js' as const, text: extras, version },
	];
	const lines = entries.map(
		({ name, text, version: id }) => `\t${JSON.stringify(name)}: { version: '${id}', text: ${JSON.stringify(text)} },`,
	);
	return {
		module: `// Made from src/browser/ by \`npm run build:browser\`. Do not edit.\nexport const BROWSER_SCRIPTS = {\n${lines.join('\n')}\n} as const;\n`,
		sizes: entries.map(({ name, text }) => ({ name, bytes: gzipSync(text).byteLength, limit: LIMITS[name] })),
	};
}

/** Writes the module if it has changed; a running `npm run dev` then serves it. */
export async function writeBrowserScripts(): Promise<readonly ScriptSize[]> {
	const { module, sizes } = await buildBrowserScripts();
	if (builtModule() !== module) writeFileSync(BUILT, module);
	return sizes;
}

export function builtModule(): string {
	return readFileSync(BUILT, 'utf8');
}

async function bundle(entry: string, options: Parameters<typeof build>[0]): Promise<string> {
	const { outputFiles } = await build({
		...options,
		entryPoints: [join(ROOT, 'src/browser', entry)],
		absWorkingDir: ROOT,
		bundle: true,
		minify: true,
		target: 'es2021',
		charset: 'ascii',
		legalComments: 'none',
		write: false,
		tsconfigRaw: {},
	});
	const [file] = outputFiles ?? [];
	if (!file) throw new Error(`esbuild had no output for ${entry}`);
	return file.text.trim();
}

function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
