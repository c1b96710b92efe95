/** Escapes text for HTML, including inside quoted attributes. */
export function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Reverses escapeHtml, and Markdown's escaped apostrophes. */
export function unescapeHtml(html: string): string {
	return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}

/** The id of a heading, for links. */
export function slugOf(text: string): string {
	return text
		.toLowerCase()
		.replaceAll(/<[^>]+>|&#?\w+;/g, '')
		.replaceAll(/[^a-z0-9_]+/g, '-')
		.replaceAll(/^-|-$/g, '');
}

/** A heading that links to itself. */
export function headingHtml(level: number, id: string, html: string): string {
	return `<h${level} id="${id}"><a class="anchor" href="#${id}">${html}</a></h${level}>\n`;
}
