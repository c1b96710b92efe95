import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../testing/root.ts';
import { type Guide, GUIDES, readGuide } from './guides.ts';
import { escapeHtml } from './html.ts';
import { type Navigation, type Page, pageHtml } from './layout.ts';
import { markdownHtml, phraseHtml, plainText } from './markdown.ts';
import { type OpenApi, readOpenApi, routesOf } from './openapi.ts';
import { overviewHtml, tagHtml, tagPath } from './reference.ts';
import { guideEntries, referenceEntries } from './search-index.ts';

/** Where the site lies, as the Worker serves it. */
export const SITE = join(ROOT, 'public/docs');
/** The style, the script and the icon, as they are. */
const PARTS = join(ROOT, 'docs/site');

/** Every file of the site by its name below `public/docs`, made of docs/guides, docs/site and the OpenAPI document. */
export function buildSite(): Map<string, string> {
	const document = readOpenApi();
	const index = readGuide('index');
	const guides = GUIDES.map((name) => readGuide(name));
	const navigation: Navigation = {
		guides: guides.map(({ name, title }) => ({ path: `/docs/${name}`, title })),
		reference: [
			{ path: '/docs/reference/', title: 'All routes' },
			...document.tags.map(({ name }) => ({ path: tagPath(name), title: name })),
		],
	};
	const pages = [indexPage(index, guides), ...guides.map((guide) => guidePage(guide)), ...referencePages(document), missingPage()];
	const entries = [...[index, ...guides].flatMap((guide) => guideEntries(guide)), ...referenceEntries(document)];
	return new Map([
		...pages.map((page): [string, string] => [fileOf(page.path), pageHtml(page, navigation)]),
		...readdirSync(PARTS).map((name): [string, string] => [name, readFileSync(join(PARTS, name), 'utf8')]),
		['search.json', `${JSON.stringify(entries)}\n`],
	]);
}

/** `/docs/reference/` lies in `reference/index.html`, `/docs/browser` in `browser.html`. */
function fileOf(path: string): string {
	const name = path.slice('/docs/'.length);
	return name === '' || name.endsWith('/') ? `${name}index.html` : `${name}.html`;
}

function indexPage(index: Guide, guides: readonly Guide[]): Page {
	const cards = guides.map(
		({ name, title, summary }) =>
			`<li><a href="/docs/${name}"><strong>${escapeHtml(title)}</strong><span>${phraseHtml(summary).replaceAll(/<\/?a\b[^>]*>/g, '')}</span></a></li>`,
	);
	const html = withSummary(markdownHtml(index.markdown)).replace('<p>[guides]</p>', `<ul class="cards">${cards.join('\n')}</ul>`);
	return { path: '/docs/', title: index.title, description: plainText(phraseHtml(index.summary)), html, contents: [] };
}

function guidePage({ name, title, summary, markdown }: Guide): Page {
	const html = withSummary(markdownHtml(markdown));
	return { path: `/docs/${name}`, title, description: plainText(phraseHtml(summary)), html, contents: headingsOf(html) };
}

function referencePages(document: OpenApi): Page[] {
	const overview = overviewHtml(document);
	const description = 'Every route with its fields, answers, errors and examples.';
	return [
		{ path: '/docs/reference/', title: 'Reference', description, html: overview, contents: headingsOf(overview) },
		...document.tags.map((tag) => ({
			path: tagPath(tag.name),
			title: tag.name,
			description: plainText(phraseHtml(tag.description)),
			html: tagHtml(document, tag.name, tag.description),
			contents: routesOf(document, tag.name).map(({ operation }) => ({ id: operation.operationId, title: operation.summary })),
		})),
	];
}

function missingPage(): Page {
	const html = `<h1>No such page</h1>\n<p class="summary">There is nothing at this address. Search for it, choose a page from the list, or begin at <a href="/docs/">the start</a>.</p>\n`;
	return { path: '/docs/404', title: 'No such page', description: 'There is nothing at this address.', html, contents: [] };
}

function withSummary(html: string): string {
	return html.replace('<p>', '<p class="summary">');
}

function headingsOf(html: string): { id: string; title: string }[] {
	return Array.from(html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g), ([, id = '', title = '']) => ({ id, title: plainText(title) }));
}
