import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { commandsOf } from '../../scripts/docs/curl.ts';
import { editAddress } from '../../scripts/docs/edit-address.ts';
import { GUIDES, readGuide, snippetsOf } from '../../scripts/docs/guides.ts';
import { plainText } from '../../scripts/docs/markdown.ts';
import { readOpenApi, responseOf, routesOf } from '../../scripts/docs/openapi.ts';
import { tagPath } from '../../scripts/docs/reference.ts';
import { buildSite } from '../../scripts/docs/site.ts';
import { writeSite } from '../../scripts/docs/write-site.ts';

const site = buildSite();
const pages = [...site].filter(([name]) => name.endsWith('.html'));
const document = readOpenApi();
const routes = document.tags.flatMap(({ name }) => routesOf(document, name).map((route) => ({ ...route, tag: name })));

function fileAt(address: string): string {
	const name = address.slice('/docs/'.length);
	if (site.has(name)) return name;
	return name === '' || name.endsWith('/') ? `${name}index.html` : `${name}.html`;
}

function idsIn(html: string): string[] {
	return Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id);
}

/** Undefined if the file is missing. */
function targetOf(address: string, from: string): string | undefined {
	const [path = '', anchor] = address.split('#');
	const file = path === '' ? from : fileAt(path);
	const html = site.get(file);
	if (html === undefined) return undefined;
	return anchor === undefined || idsIn(html).includes(anchor) ? file : undefined;
}

test('public/docs equals the site: changed files are rewritten, foreign ones removed, the rest untouched', () => {
	const folder = mkdtempSync(join(tmpdir(), 'affiliate-site-'));
	try {
		expect(writeSite(folder)).toBe(site.size);
		const kept = statSync(join(folder, 'docs.css')).mtimeMs;
		mkdirSync(join(folder, 'old'));
		writeFileSync(join(folder, 'old/page.html'), 'a guide that was');
		writeFileSync(join(folder, 'index.html'), 'the page that was');
		writeSite(folder);
		const lying = readdirSync(folder, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
		expect(lying.toSorted()).toEqual([...site.keys()].toSorted());
		for (const [name, text] of site) expect(readFileSync(join(folder, name), 'utf8') === text, name).toBe(true);
		expect(statSync(join(folder, 'docs.css')).mtimeMs).toBe(kept);
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test('every guide is in docs/guides, and every file there is a guide', () => {
	const files = readdirSync(join(import.meta.dirname, '../../docs/guides')).map((file) => file.replace(/\.md$/, ''));
	expect(files.toSorted()).toEqual(['index', ...GUIDES].toSorted());
});

test("the guides name missing features in the README's words", () => {
	const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
	expect(missingOf(readme)).toMatch(/^- No real Cloudflare account has seen this yet/);
	expect(missingOf(readGuide('index').markdown)).toBe(missingOf(readme));
});

function missingOf(text: string): string | undefined {
	return /^## What is missing\n\n([^]+?)(?:\n## |$)/m.exec(`${text.trim()}\n`)?.[1]?.trim();
}

test('every file that a guide names exists', () => {
	const root = join(import.meta.dirname, '../..');
	const named = GUIDES.flatMap((name) =>
		Array.from(readGuide(name).markdown.matchAll(/`((?:test|scripts|docs|src)\/[\w./-]+\.(?:ts|md))`/g), ([, file = '']) => ({
			name,
			file,
		})),
	);
	expect(named.length).toBeGreaterThan(60);
	expect(named.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
});

describe.each(pages)('%s', (name, html) => {
	test('has one h1, a title and unique ids', () => {
		expect(html.match(/<h1[ >]/g)).toHaveLength(1);
		expect(html).toMatch(/<title>.+ · Affiliate tracker<\/title>/);
		const ids = idsIn(html);
		expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
	});

	test('skips no heading level', () => {
		const levels = Array.from(
			html
				.split('<main')[1]
				?.split('</main>')[0]
				?.matchAll(/<h(\d)[ >]/g) ?? [],
			([, level]) => Number(level),
		);
		expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
	});

	test('has a heading for each column', () => {
		expect(html.match(/<th[^>]*>\s*<\/th>/g)).toBeNull();
	});

	test('has no broken links', () => {
		const addresses = Array.from(html.matchAll(/href="([^"]+)"/g), ([, address = '']) => address);
		const within = addresses.filter((address) => /^(#|\/docs\/)/.test(address));
		expect(within.filter((address) => targetOf(address, name) === undefined)).toEqual([]);
		const others = addresses.filter((address) => !within.includes(address));
		expect(others.filter((address) => !/^(\/api\/openapi\.json|http:\/\/127\.0\.0\.1:8787)$/.test(address))).toEqual([]);
	});

	test.runIf(name !== '404.html')('has a Markdown twin with the same headings and working links', () => {
		const twin = name.replace(/html$/, 'md');
		const text = site.get(twin) ?? '';
		expect(html).toContain(`<link rel="alternate" href="/docs/${twin}" type="text/markdown">`);
		const prose = text.replaceAll(/^```[^]*?^```$/gm, '');
		const article = html.split('<article>')[1]?.split('</article>')[0] ?? '';
		const headings = Array.from(
			article.matchAll(/<h(\d)[^>]*>(.*?)<\/h\1>/g),
			([, level, title = '']) => `${level} ${bare(plainText(title))}`,
		);
		const twins = Array.from(prose.matchAll(/^(#+) (.+)$/gm), ([, marks = '', title = '']) => `${marks.length} ${bare(title)}`);
		expect(twins).toEqual(headings);
		expect(
			prose.replaceAll(/`[^`]*`/g, '').match(/<\/?(?:[apu]l?|t[dhr]|h\d|code|div|em|figure|li|pre|span|strong)\b|&\w+;|keywords:/g),
		).toBeNull();
		const within = Array.from(prose.matchAll(/\]\((\/docs\/[^)]+|[a-z-]+\.md[^)]*)\)/g), ([, address = '']) => address);
		const gone = within.filter((address) => !site.has(address.replace(/^\/docs\//, '').replace(/#.*/, '')));
		expect(gone).toEqual([]);
	});

	test('obeys its policy: no inline code or style, nothing from other hosts', () => {
		const outsideCode = html.replaceAll(/<pre[^]*?<\/pre>/g, '');
		expect(
			outsideCode.match(/<script(?! src="\/docs\/(?:theme\.js"|docs\.js" defer)><\/script>)|<style| style=| on[a-z]+=|<iframe|<img/g),
		).toBeNull();
		expect(outsideCode.match(/src="(?!\/docs\/)/g)).toBeNull();
	});
});

function bare(title: string): string {
	return title.replaceAll(/[`*\\]/g, '');
}

test('the lists for assistants name every page, and all guides are in one file', () => {
	const list = site.get('llms.txt') ?? '';
	expect(list).toMatch(/^# Affiliate tracker\n\n> .+\n\n/);
	const named = Array.from(list.matchAll(/^- \[.+?\]\(\/docs\/([^)]+\.md)\): .+$/gm), ([, name]) => name);
	expect(named.toSorted()).toEqual([...site.keys()].filter((name) => /(?<!^index)\.md$/.test(name)).toSorted());
	for (const name of GUIDES) expect(site.get('llms-full.txt')).toContain(`\n# ${readGuide(name).title}\n`);
});

test('a page links to its source only if package.json names a repository', () => {
	const file = 'docs/guides/stripe.md';
	const wanted = 'https://code.example/shop/tracker/edit/main/docs/guides/stripe.md';
	expect(editAddress(file, '{}')).toBeUndefined();
	expect(editAddress(file, '{ "repository": "https://code.example/shop/tracker" }')).toBe(wanted);
	expect(editAddress(file, '{ "repository": { "type": "git", "url": "git+https://code.example/shop/tracker.git" } }')).toBe(wanted);
	expect(editAddress(file, '{ "repository": "git@code.example:shop/tracker.git" }')).toBeUndefined();
	const isNamed = editAddress(file) !== undefined;
	expect(site.get('stripe.html')?.includes('>Edit this page</a>')).toBe(isNamed);
});

describe('the reference', () => {
	test('has every operation of the document once', () => {
		const count = Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length;
		expect(routes).toHaveLength(count);
		for (const { tag, operation } of routes)
			expect(targetOf(`${tagPath(tag)}#${operation.operationId}`, ''), operation.operationId).toBeDefined();
	});

	test.each(routes.filter(({ operation }) => !operation.deprecated))(
		'$operation.operationId has its fields, its errors and a command',
		(route) => {
			const { operation, tag, method, path } = route;
			const html = (site.get(fileAt(tagPath(tag))) ?? '')
				.split('<section class="route"')
				.find((part) => part.includes(`id="${operation.operationId}"`));
			const text = plainText((html ?? '').replaceAll('<wbr>', ''));
			const answers = Object.values(operation.responses).map((response) => responseOf(document, response));
			expect(text).toContain(`${method} ${path}`);
			for (const { error } of answers.flatMap((answer) => answer['x-errors'] ?? [])) expect(text).toContain(error.replaceAll(/\s+/g, ' '));
			for (const { name } of operation.parameters ?? []) expect(text).toContain(name);
			expect(text).toContain('curl -s');
		},
	);

	test('offers to try only calls that change nothing: reads and tests', () => {
		const html = pages.map(([, text]) => text).join('');
		const offered = Array.from(html.matchAll(/ data-try="([A-Z]+) ([^"]+)" data-as="(\w+)"(?: data-body="([^"]+)")?/g));
		expect(offered.filter(([, method]) => method === 'GET').length).toBeGreaterThan(50);
		expect(offered.every(([, , path = '']) => /^\/(?:api\/|health$)/.test(path) && !/[{}]/.test(path.replace('{program}', '')))).toBe(true);
		const changing = offered.filter(([, method]) => method !== 'GET');
		expect(changing.map(([, method, path, as]) => `${method} ${path} ${as}`)).toEqual([
			'POST /api/v1/track/click none',
			'POST /api/v1/track/lead key',
			'POST /api/v1/track/sale key',
			'POST /api/v1/track/refund key',
			'POST /api/v1/cli/test-event key',
			'POST /api/v1/programs/{program}/test-chain owner',
		]);
		for (const [, , path, , body = ''] of changing.slice(0, 4)) expect(body, path).toContain('&quot;test_mode&quot;:true');
	});

	test("the shell passes the commands' examples unchanged", () => {
		const commands = routes.flatMap((route) => commandsOf(route).map((command) => ({ route, command })));
		// Replaces curl: prints a separator after each argument and after each command, which needs no other process.
		const curl = `curl() { for argument; do printf '%s\\037' "$argument"; done; printf '\\036'; }\n`;
		const { stdout, status } = spawnSync('sh', ['-eu'], {
			input: `BASE=https://x KEY=prg_k TOKEN=ses_t\n${curl}${commands.map(({ command }) => command.text).join('\n')}\n`,
			encoding: 'utf8',
		});
		expect(status).toBe(0);
		const sent = stdout
			.split('\u001e')
			.slice(0, -1)
			.map((command) => command.split('\u001f').slice(0, -1));
		expect(sent).toHaveLength(commands.length);
		for (const [index, { route, command }] of commands.entries()) {
			const given = sent[index] ?? [];
			const url = new URL(given.find((argument) => argument.startsWith('https://x/')) ?? '');
			expect(url.pathname).toMatch(new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/{}]+')}$`));
			const body = given[given.indexOf('-d') + 1];
			if (command.body === undefined) expect(given).not.toContain('-d');
			else expect(JSON.parse(body ?? '')).toEqual(command.body);
			const method = given.includes('-X') ? given[given.indexOf('-X') + 1] : command.body === undefined ? 'GET' : 'POST';
			expect(method).toBe(route.method);
		}
	});
});

describe('the search', () => {
	const entries: [string, string, string, string][] = JSON.parse(site.get('search.json') ?? '');

	test('contains every guide and operation, with working targets', () => {
		expect(entries.filter(([address]) => targetOf(address, '') === undefined).map(([address]) => address)).toEqual([]);
		for (const name of GUIDES) expect(entries.map(([address]) => address)).toContain(`/docs/${name}`);
		for (const { tag, operation } of routes)
			expect(entries.map(([address]) => address)).toContain(`${tagPath(tag)}#${operation.operationId}`);
	});

	test('finds the text of an error and the name of a field', () => {
		expect(entries.some(([, , , text]) => text.includes('Duplicate transaction_id. This sale has already been recorded.'))).toBe(true);
		expect(entries.some(([, , , text]) => text.includes('refund_amount_cents'))).toBe(true);
	});

	test('is small when it is sent', () => {
		expect(gzipSync(site.get('search.json') ?? '').length).toBeLessThan(140_000);
	});
});

test('npm run test:docs tries every kind of snippet', () => {
	const kinds = GUIDES.flatMap((name) => snippetsOf(readGuide(name))).map(({ language }) => language);
	expect([...new Set(kinds)].toSorted()).toEqual(['html', 'js', 'json', 'nginx', 'php', 'py', 'sh', 'text', 'toml', 'ts', 'tsx']);
	expect(kinds.length).toBeGreaterThan(60);
});

test('commands can be pasted into any shell: zsh does not accept comments', () => {
	const commands = ['index', ...GUIDES].flatMap((name) => snippetsOf(readGuide(name))).filter(({ language }) => language === 'sh');
	expect(commands.filter(({ text }) => /(^|\s)#/m.test(text)).map(({ guide, number }) => `${guide} ${number}`)).toEqual([]);
});
