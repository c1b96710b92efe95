import { escapeHtml } from './html.ts';
import { twinPath } from './twin.ts';

export interface Page {
	/** For example `/docs/quick-start`. */
	readonly path: string;
	readonly title: string;
	readonly description: string;
	readonly html: string;
	/** The headings for the list "On this page". */
	readonly contents: readonly { readonly id: string; readonly title: string }[];
	/** The same page as Markdown; the 404 page has none. */
	readonly markdown?: string;
	/** The URL for editing it, if package.json names a repository. */
	readonly editAddress?: string | undefined;
}

/** A section of the sidebar. */
export interface Group {
	readonly title: string;
	readonly pages: readonly Page[];
}

/** The whole page. `page.html` begins with its h1. */
export function pageHtml(page: Page, groups: readonly Group[]): string {
	const { path, title, description, html, contents } = page;
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Affiliate tracker</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
${page.markdown === undefined ? '' : `<link rel="alternate" href="${twinPath(path)}" type="text/markdown">\n`}<script src="/docs/theme.js"></script>
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="home" href="/docs/">Affiliate tracker</a>
<div class="search" hidden>
<input id="search" type="search" role="combobox" aria-label="Search the documentation" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search">
<kbd aria-hidden="true">/</kbd>
<div id="results" role="listbox" aria-label="Search results" hidden></div>
<p id="search-status" class="visually-hidden" role="status"></p>
</div>
<label class="theme" hidden><select id="theme" aria-label="Appearance">
<option value="system">System</option><option value="light">Light</option><option value="dark">Dark</option>
</select></label>
<a class="menu" href="#pages">Pages</a>
</header>
<div class="columns">
<main id="main" tabindex="-1">
<article>
${html}</article>
${sourceHtml(page)}${turnHtml(
		path,
		groups.flatMap(({ pages }) => pages),
	)}</main>
${contentsHtml(contents)}<nav id="pages" aria-label="Pages">
${groups.map((group) => listHtml(group, path)).join('')}</nav>
</div>
</body>
</html>
`;
}

function listHtml({ title, pages }: Group, current: string): string {
	const items = pages.map(
		(entry) => `<li><a href="${entry.path}"${entry.path === current ? ' aria-current="page"' : ''}>${escapeHtml(entry.title)}</a></li>`,
	);
	return `<h2>${title}</h2>\n<ul>${items.join('\n')}</ul>\n`;
}

function contentsHtml(contents: Page['contents']): string {
	if (contents.length < 2) return '';
	const items = contents.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
	return `<nav class="contents" aria-label="On this page"><h2>On this page</h2>\n<ul>${items.join('\n')}</ul>\n</nav>\n`;
}

function sourceHtml({ path, markdown, editAddress }: Page): string {
	const links = [
		...(editAddress === undefined ? [] : [`<a href="${escapeHtml(editAddress)}">Edit this page</a>`]),
		...(markdown === undefined ? [] : [`<a href="${twinPath(path)}">This page in Markdown</a>`]),
	];
	return links.length === 0 ? '' : `<p class="source">${links.join(' · ')}</p>\n`;
}

function turnHtml(path: string, pages: readonly Page[]): string {
	const index = pages.findIndex((page) => page.path === path);
	if (index < 0) return '';
	const link = (page: Page | undefined, rel: string, label: string) =>
		page ? `<a rel="${rel}" href="${page.path}"><span>${label}</span> ${escapeHtml(page.title)}</a>` : '';
	return `<nav class="turn" aria-label="Previous and next">${link(pages[index - 1], 'prev', 'Previous:')}${link(pages[index + 1], 'next', 'Next:')}</nav>\n`;
}
