import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { type ComponentType, createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ROOT } from '../../testing/root.ts';

// A fake Next.js with only what its guide uses: `next dev` serves a folder's route handlers, and `cookies()` reads the request's cookies.
// Next.js itself is large, and the guide needs only functions from a Request to a Response.

/** `next/headers`, which finds the current request in an AsyncLocalStorage. */
const HEADERS = `import { AsyncLocalStorage } from 'node:async_hooks';
globalThis.nextCookies ??= new AsyncLocalStorage();
export async function cookies() {
	const header = globalThis.nextCookies.getStore() ?? '';
	const values = new Map(header.split('; ').map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)]));
	return { get: (name) => (values.has(name) ? { name, value: values.get(name) } : undefined) };
}
`;

const HEADERS_TYPES = `export declare function cookies(): Promise<{
	get(name: string): { name: string; value: string } | undefined;
	has(name: string): boolean;
}>;
`;

/** Adds the fake to the backend's folder. */
export function addNext(folder: string): void {
	const home = join(folder, 'node_modules/next');
	mkdirSync(home, { recursive: true });
	mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
	const exported = { './headers': { types: './headers.d.ts', default: './headers.js' } };
	writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'next', type: 'module', exports: exported }));
	writeFileSync(join(home, 'headers.js'), HEADERS);
	writeFileSync(join(home, 'headers.d.ts'), HEADERS_TYPES);
	const serve = `#!/usr/bin/env node\nimport(${JSON.stringify(import.meta.url)}).then(({ serveApp }) => serveApp());\n`;
	writeFileSync(join(folder, 'node_modules/.bin/next'), serve, { mode: 0o755 });
}

type Handlers = Readonly<Record<string, (request: Request) => Promise<Response>>>;

/** The fake `next dev`: serves `app/<path>/route.ts` of the current folder on PORT. */
export async function serveApp(): Promise<void> {
	const files = globSync('app/**/route.ts');
	await build({ entryPoints: files, outdir: '.next', outbase: '.', outExtension: { '.js': '.mjs' }, ...BUNDLE });
	const routes = new Map<string, Handlers>();
	for (const file of files) {
		const handlers: Handlers = await import(pathToFileURL(join(process.cwd(), '.next', file.replace(/\.ts$/, '.mjs'))).href);
		routes.set(dirname(file).slice('app'.length), handlers);
	}
	const { nextCookies }: { nextCookies?: { run<T>(store: string, work: () => T): T } } = Object(globalThis);
	createServer((request, response) => {
		const { method = 'GET', url = '/', headers } = request;
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const handler = routes.get(url)?.[method];
			if (!handler) {
				response.writeHead(404).end();
				return;
			}
			const cookie = headers.cookie ?? '';
			const sent = new Request(`http://localhost${url}`, { method, headers: { cookie }, body: Buffer.concat(chunks) });
			const answered = nextCookies ? nextCookies.run(cookie, () => handler(sent)) : handler(sent);
			answered.then(
				async (answer) => response.writeHead(answer.status).end(await answer.text()),
				(error: unknown) => response.writeHead(500).end(String(error)),
			);
		});
	}).listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
}

const BUNDLE = { bundle: true, platform: 'node', format: 'esm', logLevel: 'error' } as const;

/** Renders the page of a root layout on the server. */
export async function layoutHtml(source: string): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'affiliate-layout-'));
	try {
		const outfile = join(folder, 'layout.mjs');
		const stdin = { contents: source, loader: 'tsx', resolveDir: ROOT } as const;
		const banner = {
			js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)});`,
		};
		await build({ stdin, outfile, jsx: 'automatic', banner, ...BUNDLE });
		const layout: { default: ComponentType<{ children: ReactNode }> } = await import(pathToFileURL(outfile).href);
		return `<!doctype html>${renderToStaticMarkup(createElement(layout.default, { children: 'Welcome to the shop' }))}`;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
