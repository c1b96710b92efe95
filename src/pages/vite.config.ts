import { rmSync } from 'node:fs';
import { join } from 'node:path';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { finishPages, manifestOf, MANIFESTS, OUTLINE, requireLight } from './finish-build.ts';

/** Paths below these are not files: the page itself decides what to show. */
export const PAGES = ['dashboard', 'portal'];

/** One sign-in page for both, without the code that the other pages share. */
const SIGN_IN = 'sign-in';

/** The most script, in KB after gzip, that each entry may load before it shows its first page. */
const SCRIPT_LIMITS: Readonly<Record<string, number>> = { dashboard: 160, portal: 155, [SIGN_IN]: 10 };

/**
 * Files with fixed names, and their sources. The Worker writes a page that uses the first two (src/http/program-pages.ts). `finishPages`
 * links the outline's stylesheet in the pages.
 */
const NAMED: Readonly<Record<string, string>> = {
	'program/page.js': 'program/page.ts',
	'program/page.css': 'program/page.css',
	[OUTLINE]: 'layout/outline.css',
};

const BUILDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	...Object.fromEntries([...PAGES, SIGN_IN].map((page) => [page, { [page]: join(import.meta.dirname, page, 'index.html') }])),
	program: Object.fromEntries(Object.entries(NAMED).map(([name, source]) => [name, join(import.meta.dirname, source)])),
};

const OUT = join(import.meta.dirname, '../../public/pages');

export default defineConfig({
	root: import.meta.dirname,
	base: '/pages/',
	publicDir: false,
	// Bundles React Aria's screen reader texts only in the language of the pages.
	plugins: [react(), { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' }, answerPages()],
	build: {
		outDir: OUT,
		emptyOutDir: false,
		target: 'es2023',
		// The content security policy refuses data: URLs.
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		rolldownOptions: {
			output: {
				entryFileNames: ({ name }) => (name in NAMED ? name : 'assets/[name]-[hash].js'),
				// Code that every page needs is one file, which compresses better and stays the same if only pages change.
				codeSplitting: {
					groups: [
						{ name: 'base', test: /node_modules\/(react|react-dom|scheduler|@tanstack\/[^/]+)\//, priority: 1 },
						// What the entry and pages share is one file too, instead of one for each set of pages that share it.
						{ name: 'start', tags: ['$initial'], minShareCount: 2 },
					],
				},
				assetFileNames: ({ names }) => names.find((name) => name in NAMED) ?? 'assets/[name]-[hash][extname]',
			},
		},
	},
	// Each entry is built separately, so that nobody loads parts of a package that only another entry uses.
	environments: Object.fromEntries(
		Object.entries(BUILDS).map(([name, input]) => [
			environmentOf(name),
			{ consumer: 'client', build: { manifest: manifestOf(name), rolldownOptions: { input } } },
		]),
	),
	builder: {
		async buildApp(builder) {
			rmSync(OUT, { recursive: true, force: true });
			for (const name of Object.keys(BUILDS)) {
				const environment = builder.environments[environmentOf(name)];
				if (environment) await builder.build(environment);
			}
			for (const page of PAGES) finishPages(OUT, page);
			for (const [name, limit] of Object.entries(SCRIPT_LIMITS)) requireLight(OUT, name, limit);
			rmSync(join(OUT, OUTLINE));
			rmSync(join(OUT, MANIFESTS), { recursive: true });
		},
	},
});

/** Vite allows no hyphen in the name of an environment. */
function environmentOf(name: string): string {
	return name.replaceAll('-', '_');
}

/** Does during development what src/http/pages.ts does after deployment. */
function answerPages(): Plugin {
	return {
		name: 'answer-pages',
		configureServer(server) {
			server.middlewares.use((request, _response, next) => {
				if (/^\/(dashboard|portal)\/sign-in(\?|$)/.test(request.url ?? '')) request.url = `/pages/${SIGN_IN}/index.html`;
				const page = PAGES.find((name) => new RegExp(`^/${name}(/|\\?|$)`).test(request.url ?? ''));
				if (page !== undefined) request.url = `/pages/${page}/index.html`;
				const source = NAMED[request.url?.replace('/pages/', '') ?? ''];
				if (source !== undefined) request.url = `/pages/${source}`;
				next();
			});
		},
	};
}
