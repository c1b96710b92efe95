import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../testing/root.ts';
import { editAddress } from './edit-address.ts';
import { GROUPS, type Guide, guidesOf, readGuide } from './guides.ts';
import { escapeHtml, headingHtml, slugOf } from './html.ts';
import { type Group, type Page, pageHtml } from './layout.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { markdownHtml, phraseHtml, plainText } from './markdown.ts';
import { type OpenApi, readOpenApi, routesOf } from './openapi.ts';
import { overviewHtml, tagHtml, tagPath } from './reference.ts';
import { guideEntries, referenceEntries } from './search-index.ts';
import { guideTwin, htmlTwin, twinPath } from './twin.ts';

/** The stylesheet, scripts and icon, copied unchanged. */
const PARTS = join(ROOT, 'docs/site');

/** Builds the site from docs/guides, docs/site and the OpenAPI document. Returns its files, keyed by name within `public/docs`. */
export function buildSite(): Map<string, string> {
	const document = readOpenApi();
	const index = readGuide('index');
	const parts = GROUPS.map((title) => ({ title, guides: guidesOf(title).map((name) => readGuide(name)) }));
	const guides = parts.flatMap((part) => part.guides);
	const guideGroups = parts.map((part): Group => ({ title: part.title, pages: part.guides.map(guidePage) }));
	const groups = [...guideGroups, { title: 'Reference', pages: referencePages(document) }];
	const pages = [indexPage(index, guideGroups), ...groups.flatMap((group) => group.pages), missingPage()];
	const entries = [...[index, ...guides].flatMap((guide) => guideEntries(guide)), ...referenceEntries(document)];
	return new Map([
		...pages.flatMap((page) => filesOf(page, groups)),
		...readdirSync(PARTS).map((name): [string, string] => [name, readFileSync(join(PARTS, name), 'utf8')]),
		['search.json', `${JSON.stringify(entries)}\n`],
		['llms.txt', llmsText(index, groups)],
		['llms-full.txt', llmsFullText([index, ...guides])],
	]);
}

/** `/docs/reference/` becomes `reference/index.html`, `/docs/browser` becomes `browser.html`, each with its Markdown next to it. */
function filesOf(page: Page, groups: readonly Group[]): [string, string][] {
	const twin = twinPath(page.path).slice('/docs/'.length);
	const html: [string, string] = [twin.replace(/md$/, 'html'), pageHtml(page, groups)];
	return page.markdown === undefined ? [html] : [html, [twin, page.markdown]];
}

function indexPage(index: Guide, groups: readonly Group[]): Page {
	const cards = groups.map(
		({ title, pages }) => `${headingHtml(3, slugOf(title), title)}<ul class="cards">${pages.map(cardHtml).join('\n')}</ul>`,
	);
	const lines = groups.map(
		({ title, pages }) => `### ${title}\n\n${pages.map((page) => `- [${page.title}](${page.path}): ${page.description}`).join('\n')}`,
	);
	return {
		...guidePage(index),
		path: '/docs/',
		html: withSummary(markdownHtml(index.markdown)).replace('<p>[guides]</p>', cards.join('\n')),
		markdown: guideTwin(index.markdown.replace('[guides]', lines.join('\n\n'))),
		contents: [],
	};
}

function cardHtml({ path, title, description }: Page): string {
	const [sentence = ''] = description.split(/(?<=\.) /);
	return `<li><a href="${path}"><strong>${escapeHtml(title)}</strong><span>${escapeHtml(sentence)}</span></a></li>`;
}

function guidePage({ name, title, summary, markdown }: Guide): Page {
	const html = withSummary(markdownHtml(markdown));
	return {
		path: `/docs/${name}`,
		title,
		description: plainText(phraseHtml(summary)),
		html,
		markdown: guideTwin(markdown),
		contents: headingsOf(html),
		editAddress: editAddress(`docs/guides/${name}.md`),
	};
}

function referencePages(document: OpenApi): Page[] {
	const overview = overviewHtml(document);
	const description = 'Every route with its fields, responses, errors and examples.';
	const tags = document.tags.map((tag) => {
		const contents = routesOf(document, tag.name).map(({ operation }) => ({ id: operation.operationId, title: operation.summary }));
		const html = tagHtml(document, tag.name, tag.description);
		return { path: tagPath(tag.name), title: tag.name, description: plainText(phraseHtml(tag.description)), html, contents };
	});
	const all = { path: '/docs/reference/', title: 'All routes', description, html: overview, contents: headingsOf(overview) };
	return [all, ...tags].map((page) => ({ ...page, markdown: htmlTwin(page.html) }));
}

function missingPage(): Page {
	const html = `<h1>No such page</h1>\n<p class="summary">This address has no page. Search the documentation, choose a page from the list, or go to <a href="/docs/">the start</a>.</p>\n`;
	return { path: '/docs/404', title: 'No such page', description: 'This address has no page.', html, contents: [] };
}

function withSummary(html: string): string {
	return html.replace('<p>', '<p class="summary">');
}

function headingsOf(html: string): { id: string; title: string }[] {
	return Array.from(html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g), ([, id = '', title = '']) => ({ id, title: plainText(title) }));
}
