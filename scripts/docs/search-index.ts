import { fieldNames } from './fields.ts';
import type { Guide } from './guides.ts';
import { plainText, markdownHtml, sectionsOf } from './markdown.ts';
import { type OpenApi, responseOf, routesOf } from './openapi.ts';
import { tagPath } from './reference.ts';

/** A search entry: a section or a route. `keywords` are search words that do not occur in a guide's text. */
export type Entry = readonly [address: string, title: string, page: string, text: string, keywords?: string];

export function guideEntries({ name, title, markdown, keywords }: Guide): Entry[] {
	const path = name === 'index' ? '/docs/' : `/docs/${name}`;
	return sectionsOf(markdown).map((section, index): Entry => {
		const text = section.text.trim();
		return index === 0 ? [path, section.title, title, text, keywords] : [`${path}#${section.id}`, section.title, title, text];
	});
}

export function referenceEntries(document: OpenApi): Entry[] {
	return document.tags.flatMap(({ name }) =>
		routesOf(document, name).map(({ method, path, operation }): Entry => {
			const body = operation.requestBody?.content['application/json'];
			const answers = Object.values(operation.responses).map((response) => responseOf(document, response));
			const schemas = [body?.schema, ...answers.map(({ content }) => content?.['application/json']?.schema)];
			const words = new Set([
				...schemas.flatMap((schema) => (schema ? fieldNames(document, schema) : [])),
				...(operation.parameters ?? []).map((parameter) => parameter.name),
			]);
			const errors = answers.flatMap((answer) => answer['x-errors'] ?? []).map(({ error }) => error);
			const text = operation.deprecated
				? ''
				: [plainText(markdownHtml(operation.description)), [...words].join(' '), [...new Set(errors)].join(' · ')].join(' · ');
			return [`${tagPath(name)}#${operation.operationId}`, operation.summary, name, `${method} ${path} ${operation.operationId} ${text}`];
		}),
	);
}
