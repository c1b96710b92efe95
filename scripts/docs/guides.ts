import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, type Token } from 'marked';
import { ROOT } from '../../testing/root.ts';

export const GROUPS = ['Start', 'Integrate', 'Payments', 'Partners and team', 'Operate'] as const;

type Group = (typeof GROUPS)[number];

/** The guides in reading order, each with its section of the sidebar. */
const GROUP_OF = {
	'quick-start': 'Start',
	'test-mode': 'Start',
	troubleshooting: 'Start',
	migration: 'Start',
	'how-it-works': 'Start',
	browser: 'Integrate',
	'single-page-apps': 'Integrate',
	nextjs: 'Integrate',
	'server-only': 'Integrate',
	sdk: 'Integrate',
	'http-api': 'Integrate',
	'own-domain': 'Integrate',
	reports: 'Integrate',
	management: 'Integrate',
	webhooks: 'Integrate',
	stripe: 'Payments',
	paddle: 'Payments',
	'custom-webhook': 'Payments',
	commissions: 'Payments',
	refunds: 'Payments',
	coupons: 'Payments',
	partners: 'Partners and team',
	payouts: 'Partners and team',
	people: 'Partners and team',
	deploy: 'Operate',
	configuration: 'Operate',
	operations: 'Operate',
	scale: 'Operate',
	monitoring: 'Operate',
	security: 'Operate',
	privacy: 'Operate',
	guarantees: 'Operate',
} as const satisfies Readonly<Record<string, Group>>;

export type GuideName = keyof typeof GROUP_OF;

export const GUIDES = GROUPS.flatMap((group) => guidesOf(group));

export function guidesOf(group: Group): GuideName[] {
	return Object.keys(GROUP_OF)
		.filter(isGuideName)
		.filter((name) => GROUP_OF[name] === group);
}

export function isGuideName(name: string): name is GuideName {
	return Object.hasOwn(GROUP_OF, name);
}

/** A fenced block in a guide. The label after the language is a file name, or says how to run the commands. */
export interface Snippet {
	readonly guide: string;
	/** Line numbers start at 1. */
	readonly number: number;
	readonly language: string;
	readonly label: string;
	readonly text: string;
}

export interface Guide {
	readonly name: string;
	readonly title: string;
	/** The paragraph directly below the title. */
	readonly summary: string;
	/** The whole text, including the title. */
	readonly markdown: string;
	/** Other words that people search for, from the last line of the guide: `<!-- keywords: one, or two -->`. */
	readonly keywords: string;
}

export function readGuide(name: string): Guide {
	const file = readFileSync(join(ROOT, 'docs/guides', `${name}.md`), 'utf8');
	const [comment = '', keywords = ''] = /\n\n<!-- keywords: (.+) -->\n$/.exec(file) ?? [];
	const markdown = comment === '' ? file : `${file.slice(0, -comment.length)}\n`;
	const [, title, summary] = /^# (.+)\n\n(.+)\n/.exec(markdown) ?? [];
	if (title === undefined || summary === undefined) throw new Error(`docs/guides/${name}.md does not begin with a title and a paragraph`);
	return { name, title, summary, markdown, keywords };
}

export function snippetsOf({ name, markdown }: Guide): Snippet[] {
	const snippets: Snippet[] = [];
	const add = (tokens: readonly Token[]) => {
		for (const token of tokens) {
			if (token.type === 'code')
				snippets.push({ guide: name, number: snippets.length + 1, ...infoOf(token['lang']), text: String(token['text']) });
			// Lists and quotations can contain blocks too.
			else add(token.type === 'list' ? (token['items'] ?? []) : ('tokens' in token && token.tokens) || []);
		}
	};
	add(marked.lexer(markdown));
	return snippets;
}

/** Splits the text after the three backticks. */
export function infoOf(info: unknown): { readonly language: string; readonly label: string } {
	const [language = '', ...rest] = typeof info === 'string' ? info.split(' ') : [];
	return { language, label: rest.join(' ') };
}
