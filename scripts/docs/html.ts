/** Text as HTML, also inside a quoted attribute. */
export function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** What escapeHtml made of a text, and what Markdown makes of its apostrophes. */
export function unescapeHtml(html: string): string {
	return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}

/** The end of an address that names a heading. */
export function slugOf(text: string): string {
	return text
		.toLowerCase()
		.replaceAll(/<[^>]+>|&#?\w+;/g, '')
		.replaceAll(/[^a-z0-9_]+/g, '-')
		.replaceAll(/^-|-$/g, '');
}

/** A heading that can be linked to. */
export function headingHtml(level: number, id: string, html: string): string {
	return `<h${level} id="${id}"><a class="anchor" href="#${id}">${html}</a></h${level}>\n`;
}
