import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, type Token } from 'marked';
import { ROOT } from '../../testing/root.ts';

/** The guides, in the order in which they are read. */
export const GUIDES = [
	'quick-start',
	'browser',
	'single-page-apps',
	'server-only',
	'stripe',
	'paddle',
	'custom-webhook',
	'test-mode',
	'refunds',
	'coupons',
	'partners',
	'payouts',
	'people',
	'migration',
	'security',
	'privacy',
	'guarantees',
] as const;

export type GuideName = (typeof GUIDES)[number];

/** A fenced block of a guide. What stands behind its language says what it is: a file by that name, or how the commands are run. */
export interface Snippet {
	readonly guide: string;
	/** From 1. */
	readonly number: number;
	readonly language: string;
	readonly label: string;
	readonly text: string;
}

export interface Guide {
	readonly name: string;
	readonly title: string;
	/** The paragraph below the title. */
	readonly summary: string;
	/** All of it, the title too. */
	readonly markdown: string;
}

export function readGuide(name: string): Guide {
	const markdown = readFileSync(join(ROOT, 'docs/guides', `${name}.md`), 'utf8');
	const [, title, summary] = /^# (.+)\n\n(.+)\n/.exec(markdown) ?? [];
	if (title === undefined || summary === undefined) throw new Error(`docs/guides/${name}.md does not begin with a title and a paragraph`);
	return { name, title, summary, markdown };
}

export function snippetsOf({ name, markdown }: Guide): Snippet[] {
	const snippets: Snippet[] = [];
	const add = (tokens: readonly Token[]) => {
		for (const token of tokens) {
			if (token.type === 'code')
				snippets.push({ guide: name, number: snippets.length + 1, ...infoOf(token['lang']), text: String(token['text']) });
			// Lists and quotations may hold blocks too.
			else add(token.type === 'list' ? (token['items'] ?? []) : ('tokens' in token && token.tokens) || []);
		}
	};
	add(marked.lexer(markdown));
	return snippets;
}

/** What stands behind the three backticks. */
export function infoOf(info: unknown): { readonly language: string; readonly label: string } {
	const [language = '', ...rest] = typeof info === 'string' ? info.split(' ') : [];
	return { language, label: rest.join(' ') };
}
