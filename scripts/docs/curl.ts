import type { Content, Parameter, Route } from './openapi.ts';

/** A call as a curl command, using the variables of the guides. */
export interface Command {
	readonly title: string;
	readonly text: string;
	/** The body; undefined if there is none. */
	readonly body: unknown;
	/** The name of its example. The matching response has the same name. */
	readonly example: string;
}

/** One command for each example body, or a single command if there are none. */
export function commandsOf({ method, path, operation }: Route): Command[] {
	const address = addressOf(path, operation.parameters ?? []);
	const [caller] = operation.security.flatMap((scheme) => Object.keys(scheme));
	const header = caller === undefined ? [] : [`-H "Authorization: Bearer $${caller === 'programKey' ? 'KEY' : 'TOKEN'}"`];
	const content = operation.requestBody?.content['application/json'];
	const needsMethod = method !== (content ? 'POST' : 'GET');
	const start = [`curl -s ${needsMethod ? `-X ${method} ` : ''}${address}`, ...header];
	return bodiesOf(content).map(({ title, body, example }) => {
		const lines = body === undefined ? start : [...start, `-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`];
		return { title, body, example, text: lines.join(' \\\n  ') };
	});
}

function bodiesOf(content: Content | undefined): { title: string; body: unknown; example: string }[] {
	if (!content) return [{ title: '', body: undefined, example: '' }];
	if (content.examples) {
		return Object.entries(content.examples).map(([example, { summary = '', value }]) => ({ title: summary, body: value, example }));
	}
	return [{ title: '', body: content.example ?? {}, example: '' }];
}

function addressOf(path: string, parameters: readonly Parameter[]): string {
	const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(parameters, name));
	const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true);
	const search = query.map(({ name, example }) => `${name}=${encodeURIComponent(wordOf(example))}`).join('&');
	return search === '' ? `$BASE${filled}` : `"$BASE${filled}?${search}"`;
}

/** The example value of a path parameter. */
export function exampleOf(parameters: readonly Parameter[] = [], name: string): string {
	return wordOf(parameters.find((parameter) => parameter.name === name)?.example ?? 1);
}

function wordOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function quoted(text: string): string {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}
