import { escapeHtml } from './html.ts';

export interface Page {
	/** `/docs/quick-start`. */
	readonly path: string;
	readonly title: string;
	readonly description: string;
	readonly html: string;
	/** Its headings, for the list beside it. */
	readonly contents: readonly { readonly id: string; readonly title: string }[];
}

/** A page of the list at the side. */
export interface Entry {
	readonly path: string;
	readonly title: string;
}

export interface Navigation {
	readonly guides: readonly Entry[];
	readonly reference: readonly Entry[];
}

/** The whole page. `page.html` begins with its h1. */
export function pageHtml(page: Page, navigation: Navigation): string {
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
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header class="top">
<a class="home" href="/docs/">Affiliate tracker</a>
<div class="search" hidden>
<input id="search" type="search" role="combobox" aria-label="Search the documentation" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search">
<kbd aria-hidden="true">/</kbd>
<div id="results" role="listbox" aria-label="Search results" hidden></div>
<p id="search-status" class="visually-hidden" role="status"></p>
</div>
<a class="menu" href="#pages">Pages</a>
</header>
<div class="columns">
<main id="main" tabindex="-1">
<article>
${html}</article>
${turnHtml(path, [...navigation.guides, ...navigation.reference])}</main>
${contentsHtml(contents)}<nav id="pages" aria-label="Pages">
${listHtml('Guides', navigation.guides, path)}${listHtml('Reference', navigation.reference, path)}</nav>
</div>
</body>
</html>
`;
}

function listHtml(title: string, entries: readonly Entry[], current: string): string {
	const items = entries.map(
		(entry) => `<li><a href="${entry.path}"${entry.path === current ? ' aria-current="page"' : ''}>${escapeHtml(entry.title)}</a></li>`,
	);
	return `<h2>${title}</h2>\n<ul>${items.join('\n')}</ul>\n`;
}

function contentsHtml(contents: Page['contents']): string {
	if (contents.length < 2) return '';
	const items = contents.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
	return `<nav class="contents" aria-label="On this page"><h2>On this page</h2>\n<ul>${items.join('\n')}</ul>\n</nav>\n`;
}

/** To the page before and the one after. */
function turnHtml(path: string, entries: readonly Entry[]): string {
	const index = entries.findIndex((entry) => entry.path === path);
	if (index < 0) return '';
	const link = (entry: Entry | undefined, rel: string, label: string) =>
		entry ? `<a rel="${rel}" href="${entry.path}"><span>${label}</span> ${escapeHtml(entry.title)}</a>` : '';
	return `<nav class="turn" aria-label="Before and after">${link(entries[index - 1], 'prev', 'Before:')}${link(entries[index + 1], 'next', 'Next:')}</nav>\n`;
}
