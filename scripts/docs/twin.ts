import { unescapeHtml } from './html.ts';

// The Markdown version of a page, for AI assistants and for reading in a terminal.

const CODE =
	/<figure class="code">(?:<figcaption>)?(.*?)(?:<\/figcaption>)?<pre tabindex="0"><code class="(\w*)">([^]*?)<\/code><\/pre><\/figure>/;

/** `/docs/browser` becomes `/docs/browser.md`; a folder becomes its own index page. */
export function twinPath(path: string): string {
	return `${path}${path.endsWith('/') ? 'index' : ''}.md`;
}

/** The guide's Markdown, with links pointing to the Markdown of other pages. */
export function guideTwin(markdown: string): string {
	return markdown.replaceAll(/\]\((\/docs\/[^#)]*)/g, (_, path: string) => `](${twinPath(path)}`);
}

/** Converts HTML to Markdown. Works only for the HTML that scripts/docs generates. */
export function htmlTwin(html: string): string {
	// The split result repeats in groups of four: text, caption, language, code.
	const pieces = html.split(CODE);
	const texts = pieces.map((piece, index) => {
		if (index % 4 === 0) return textTwin(piece);
		if (index % 4 === 1) return piece === '' ? '' : `${unescapeHtml(piece)}:\n\n`;
		return index % 4 === 2 ? `\`\`\`${piece}\n` : `${unescapeHtml(piece.replaceAll(/<[^>]+>/g, ''))}\n\`\`\`\n\n`;
	});
	return `${texts
		.join('')
		.replaceAll(/\n{3,}/g, '\n\n')
		.trim()}\n`;
}

function textTwin(html: string): string {
	const inline = html
		.replaceAll('<wbr>', '')
		.replaceAll(/<span class="type">(.*?)<\/span>/g, '($1) ')
		.replaceAll('</code><span>', '</code> ')
		.replaceAll(/<code>(.*?)<\/code>/g, '`$1`')
		.replaceAll(/<(strong)[^>]*>(.*?)<\/\1>/g, '**$2**')
		.replaceAll(/<em>(.*?)<\/em>/g, '*$1*')
		.replaceAll(/<a class="anchor"[^>]*>(.*?)<\/a>/g, '$1')
		.replaceAll(/<a href="(\/docs\/[^#"]*)/g, (_, path: string) => `<a href="${twinPath(path)}`)
		.replaceAll(/<a href="([^"]*)">(.*?)<\/a>/gs, '[$2]($1)');
	const blocks = inline
		.replaceAll(/\s*<h(\d)[^>]*>(.*?)<\/h\1>/gs, (_, level: string, text: string) => `\n\n${'#'.repeat(Number(level))} ${text}\n\n`)
		.replaceAll(/<thead>(.*?)<\/thead>/gs, (_, row: string) => `\n\n${rowTwin(row)}\n${rowTwin(row).replaceAll(/[^|]+/g, '---')}\n`)
		.replaceAll(/<tr>.*?<\/tr>/gs, rowTwin)
		.replaceAll(/<summary>(.*?)<\/summary>/g, '\n\n$1:\n\n')
		.replaceAll(/\s*<li>\s*(.*?)\s*<\/li>/gs, '\n- $1')
		.replaceAll(/<p[^>]*>(.*?)<\/p>/gs, '\n\n$1\n\n')
		.replaceAll(/<\/(?:ul|table|details)>/g, '\n\n');
	return unescapeHtml(blocks.replaceAll(/<[^>]+>/g, ''));
}

function rowTwin(row: string): string {
	const cells = Array.from(row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs), ([, cell = '']) => cell.replaceAll('|', String.raw`\|`).trim());
	return `| ${cells.join(' | ')} |`;
}
