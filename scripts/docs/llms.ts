import type { Guide } from './guides.ts';
import { phraseHtml, plainText } from './markdown.ts';
import { guideTwin, twinPath } from './twin.ts';

export interface Listed {
	readonly path: string;
	readonly title: string;
	readonly description: string;
}

/** The list of all pages for AI assistants, in llms.txt format. */
export function llmsText(index: Guide, groups: readonly { readonly title: string; readonly pages: readonly Listed[] }[]): string {
	const lists = groups.map(({ title, pages }) => `## ${title}\n\n${pages.map(lineOf).join('\n')}\n`);
	return `# ${index.title}

> ${plainText(phraseHtml(index.summary))}

Commands call a service on the reader's own machine, http://127.0.0.1:8787: replace it with the address of the service. Every page is also available as Markdown: add \`.md\` to its address.

${lists.join('\n')}
## Optional

- [All guides in one file](/docs/llms-full.txt): without the reference
- [The OpenAPI 3.1 document](/api/openapi.json): every route, machine-readable
`;
}

function lineOf({ path, title, description }: Listed): string {
	return `- [${title}](${twinPath(path)}): ${description}`;
}

export function llmsFullText(guides: readonly Guide[]): string {
	return guides.map(({ markdown }) => guideTwin(markdown).trim()).join('\n\n---\n\n') + '\n';
}
