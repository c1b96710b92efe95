import { Marked, type Tokens } from 'marked';
import { infoOf } from './guides.ts';
import { codeBlock } from './highlight.ts';
import { headingHtml, slugOf, unescapeHtml } from './html.ts';

/** A heading and the text up to the next one. */
export interface Section {
	readonly id: string;
	readonly title: string;
	readonly text: string;
}

/** Labels that are not shown, because they only tell the tests how to run a block. */
const RUN_LABELS = new Set(['start', 'variables', 'install', 'serve']);

/** Captions that distinguish output from code to be copied. */
const OUTPUTS: Readonly<Record<string, string>> = { json: 'Response', text: 'Output' };

const engine = new Marked({
	renderer: {
		heading({ tokens, depth }) {
			const html = this.parser.parseInline(tokens);
			return headingHtml(depth, slugOf(html), html);
		},
		code({ text, lang }) {
			const { language, label } = infoOf(lang);
			return codeBlock(text, language, RUN_LABELS.has(label) ? '' : label || (OUTPUTS[language] ?? ''));
		},
		link({ href, tokens }) {
			return `<a href="${addressOf(href)}">${this.parser.parseInline(tokens)}</a>`;
		},
		table(token) {
			const cells = (tag: string, row: Tokens.TableCell[]) =>
				`<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
			const head = cells('th scope="col"', token.header).replaceAll('</th scope="col">', '</th>');
			const body = token.rows.map((row) => cells('td', row)).join('\n');
			return `<div class="table" tabindex="0"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`;
		},
	},
});

export function markdownHtml(markdown: string): string {
	return engine.parse(markdown, { async: false });
}

/** The HTML for a phrase, without a paragraph around it. */
export function phraseHtml(markdown: string): string {
	return engine.parseInline(markdown, { async: false });
}

/** The sections of a guide, for the table of contents and the search. */
export function sectionsOf(markdown: string): Section[] {
	const sections: { id: string; title: string; text: string }[] = [];
	for (const token of engine.lexer(markdown)) {
		if (token.type === 'heading') {
			const title = plainText(phraseHtml(String(token['text'])));
			sections.push({ id: slugOf(phraseHtml(String(token['text']))), title, text: '' });
		} else {
			const section = sections.at(-1);
			const text = plainText(engine.parser([token]));
			// Blank lines are tokens too.
			if (section && text !== '') section.text += ` ${text}`;
		}
	}
	return sections;
}

/** The text of HTML, without tags. */
export function plainText(html: string): string {
	const text = html.replaceAll(/<\/?(?:a|code|em|strong)\b[^>]*>/g, '').replaceAll(/<[^>]+>/g, ' ');
	return unescapeHtml(text).replaceAll(/\s+/g, ' ').trim();
}

/** Links between the guides' files work in the repository; this turns them into links between pages. */
function addressOf(href: string): string {
	return href.replace(/^([a-z-]+)\.md(?=#|$)/, (_, name: string) => (name === 'index' ? '/docs/' : `/docs/${name}`));
}
