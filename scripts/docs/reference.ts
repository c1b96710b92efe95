import { isFieldReason } from '../../src/openapi/field-errors.ts';
import { commandsOf } from './curl.ts';
import { fieldTables, parameterTable } from './fields.ts';
import { codeBlock } from './highlight.ts';
import { escapeHtml, headingHtml, slugOf } from './html.ts';
import { markdownHtml, phraseHtml } from './markdown.ts';
import { type Content, type OpenApi, type Operation, type Response, responseOf, type Route, routesOf, schemaOf } from './openapi.ts';
import { tryAttributes } from './try-it.ts';

const CALLERS: Readonly<Record<string, string>> = {
	programKey: 'the program key',
	sessionToken: 'a session token',
	sessionCookie: 'a session in a cookie',
};

export function tagPath(tag: string): string {
	return `/docs/reference/${slugOf(tag)}`;
}

export function tagHtml(document: OpenApi, tag: string, description: string): string {
	const routes = routesOf(document, tag);
	const body = routes.map((route) => (route.operation.deprecated ? legacyHtml(route) : routeHtml(document, route))).join('\n');
	return `<h1>${escapeHtml(tag)}</h1>\n<p class="summary">${phraseHtml(description)}</p>\n${routeList(routes, tagPath(tag))}${body}`;
}

/** The overview page: what all routes have in common, then a list of routes by tag. */
export function overviewHtml(document: OpenApi): string {
	const lists = document.tags.map(({ name, description }) => {
		const routes = routesOf(document, name);
		const heading = headingHtml(2, slugOf(name), escapeHtml(name));
		return `${heading}<p>${phraseHtml(description)}</p>\n${routeList(routes, tagPath(name))}`;
	});
	const schemes = Object.entries(document.components.securitySchemes).map(
		([name, { description }]) => `<li><strong>${escapeHtml(capital(CALLERS[name] ?? name))}.</strong> ${phraseHtml(description)}</li>`,
	);
	return `<h1>Reference</h1>
<p class="summary">Every route, with its fields, responses, errors and examples. Built from <a href="/api/openapi.json">the OpenAPI 3.1 document</a>, which client generators can read.</p>
${headingHtml(2, 'for-all-routes', 'For all routes')}${markdownHtml(document.info.description)}
<ul>${schemes.join('\n')}</ul>
<p>In the commands, <code>$BASE</code> is the address of the service, <code>$KEY</code> the program key and <code>$TOKEN</code> a session token.</p>
${lists.join('\n')}`;
}

function routeList(routes: readonly Route[], path: string): string {
	const rows = routes.map(
		({ method, path: address, operation }) =>
			`<li><a href="${path}#${operation.operationId}">${badge(method)} <code>${addressHtml(address)}</code><span>${escapeHtml(operation.summary)}</span></a></li>`,
	);
	return `<ul class="routes">${rows.join('\n')}</ul>\n`;
}

function routeHtml(document: OpenApi, route: Route): string {
	const { method, path, operation } = route;
	const attributes = Object.entries(tryAttributes(route)).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
	return `<section class="route"${attributes.join('')}>
${headingHtml(2, operation.operationId, escapeHtml(operation.summary))}<p class="address">${badge(method)} <code>${addressHtml(path)}</code></p>
<p class="caller">${callerText(operation)}</p>
${markdownHtml(operation.description)}${parametersHtml(document, operation)}${bodyHtml(document, operation)}${examplesHtml(document, route)}${answersHtml(document, operation)}${errorsHtml(document, operation)}</section>`;
}

/** A deprecated path shows only its description; the fields are described at the current path. */
function legacyHtml({ method, path, operation }: Route): string {
	return `<section class="route">
${headingHtml(2, operation.operationId, `${escapeHtml(operation.summary)}, earlier path`)}<p class="address">${badge(method)} <code>${addressHtml(path)}</code></p>
${markdownHtml(operation.description)}</section>`;
}

function callerText({ security }: Operation): string {
	const schemes = security.flatMap((scheme) => Object.keys(scheme));
	// The cookie is not listed, because it is only for pages and works wherever a session token does.
	const names = schemes.filter((name) => name !== 'sessionCookie').map((name) => CALLERS[name] ?? name);
	if (names.length === 0) return 'Needs no authorization.';
	const isOptional = security.some((scheme) => Object.keys(scheme).length === 0);
	const who = `<code>Authorization: Bearer</code> with ${names.join(' or ')}`;
	return isOptional ? `Accepts ${who}, or no authorization.` : `Needs ${who}.`;
}

function parametersHtml(document: OpenApi, { parameters = [] }: Operation): string {
	return parameters.length === 0 ? '' : `<h3>Parameters</h3>\n${parameterTable(document, parameters)}`;
}

function bodyHtml(document: OpenApi, { requestBody }: Operation): string {
	const content = requestBody?.content['application/json'];
	if (!content) return '';
	// If there are several variants, each has its own description.
	const isOne = schemaOf(document, content.schema).anyOf === undefined;
	const description = isOne && requestBody?.description !== undefined ? markdownHtml(requestBody.description) : '';
	const optional = requestBody?.required === true ? '' : '<p>The body is optional.</p>\n';
	return `<h3>Body</h3>\n${description}${optional}${fieldTables(document, content.schema, { required: true })}`;
}

function answersHtml(document: OpenApi, { responses }: Operation): string {
	const good = Object.entries(responses).filter(([status]) => Number(status) < 400);
	return good
		.map(([status, reference]) => {
			const response = responseOf(document, reference);
			const json = response.content?.['application/json'];
			const table = json ? fieldTables(document, json.schema, { required: false }) : '';
			return `<h3>Response ${status}</h3>\n${markdownHtml(response.description)}${headersHtml(response)}${table}`;
		})
		.join('\n');
}

function headersHtml({ headers = {} }: Response): string {
	const rows = Object.entries(headers).map(
		([name, { description = '' }]) => `<li>Header <code>${escapeHtml(name)}</code>: ${phraseHtml(description)}</li>`,
	);
	return rows.length === 0 ? '' : `<ul>${rows.join('\n')}</ul>\n`;
}

function examplesHtml(document: OpenApi, route: Route): string {
	const commands = commandsOf(route);
	const contents = Object.entries(route.operation.responses).flatMap(([status, reference]) =>
		Object.entries(responseOf(document, reference).content ?? {}).map(([type, content]) => ({ status, type, content })),
	);
	const shown = new Set<string>();
	const asked = commands.map(({ title, text, example }) => {
		const answer = contents.find(({ content }) => content.examples?.[example] !== undefined);
		if (answer) shown.add(example);
		const before = title === '' ? '' : `<p>${phraseHtml(title)}:</p>\n`;
		const after = answer ? answerBlock(answer.status, answer.type, answer.content.examples?.[example]?.value) : '';
		return `${before}${codeBlock(text, 'sh')}${after}`;
	});
	const others = contents
		.filter(({ status }) => Number(status) < 400)
		.flatMap(({ status, type, content }) =>
			examplesOf(content)
				.filter(({ name }) => !shown.has(name))
				.map(({ summary, value }) => `${summary === '' ? '' : `<p>${phraseHtml(summary)}:</p>\n`}${answerBlock(status, type, value)}`),
		);
	return `<h3>Examples</h3>\n${asked.join('')}${others.join('')}`;
}

function examplesOf({ example, examples = {} }: Content): { name: string; summary: string; value: unknown }[] {
	const named = Object.entries(examples).map(([name, { summary = '', value }]) => ({ name, summary, value }));
	return example === undefined ? named : [...named, { name: '', summary: '', value: example }];
}

function answerBlock(status: string, type: string, value: unknown): string {
	const isJson = type === 'application/json';
	const text = isJson ? JSON.stringify(value, null, 2) : String(value).replaceAll('\r\n', '\n').trimEnd();
	return codeBlock(text, isJson ? 'json' : 'text', `Response ${status}`);
}

interface ErrorRow {
	readonly status: string;
	readonly error: string;
	readonly when: string;
}

/** Lists the route's errors and, collapsed below them, the errors of individual fields. */
function errorsHtml(document: OpenApi, { operationId, responses }: Operation): string {
	const rows = Object.entries(responses).flatMap(([status, reference]) =>
		(responseOf(document, reference)['x-errors'] ?? []).map(({ error, when }) => ({ status, error, when })),
	);
	const own = rows.filter(({ when }) => !isFieldReason(when));
	const fields = rows.filter(({ when }) => isFieldReason(when));
	if (rows.length === 0) return '';
	const folded =
		fields.length === 0
			? ''
			: `<details id="${operationId}-fields"><summary>Errors of single fields (${fields.length})</summary>\n${errorTable(fields)}</details>\n`;
	return `<h3>Errors</h3>\n${own.length === 0 ? '' : errorTable(own)}${folded}`;
}

function errorTable(rows: readonly ErrorRow[]): string {
	const body = rows.map(
		({ status, error, when }) =>
			`<tr><td>${status}</td><th scope="row"><code>${escapeHtml(error)}</code></th><td>${phraseHtml(when)}</td></tr>`,
	);
	return `<div class="table" tabindex="0"><table class="errors"><thead><tr><th scope="col">Status</th><th scope="col"><code>error</code></th><th scope="col">When</th></tr></thead><tbody>${body.join('\n')}</tbody></table></div>\n`;
}

function badge(method: string): string {
	return `<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** A path that can wrap after its slashes. */
function addressHtml(path: string): string {
	return escapeHtml(path).replaceAll('/', '/<wbr>');
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
