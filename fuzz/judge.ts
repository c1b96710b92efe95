import type { Answered, Conformance, DocumentOperation } from '../testing/openapi/conformance.ts';
import type { Shot } from './requests.ts';
import { propertiesOf, resolved } from './schema.ts';

export function judge(conformance: Conformance, shot: Shot, answer: Answered): string[] {
	const fault = answer.status >= 500 ? ['a server error'] : [];
	const operation = conformance.operationOf(answer.method, answer.path);
	if (!operation) return [...fault, ...unknownRouteComplaints(answer)];
	return [...fault, ...conformance.complaintsAbout(answer), ...wronglyAccepted(conformance, operation, shot, answer)];
}

/** A hostile id can result in another path, or in none. */
function unknownRouteComplaints({ status, text, path }: Answered): string[] {
	// `/r/%2e%2e` is the front page, which is not in the document. It redirects a signed-in user.
	if ((status === 200 || status === 302) && new URL(path, 'http://service.test').pathname === '/') return [];
	const isError = /^\{"error":".+"\}$/s.test(text);
	return isError && (status === 404 || status === 405) ? [] : ['an unknown path must answer 404 or 405 with {"error": string}'];
}

/** The service accepted a body that the document forbids. */
function wronglyAccepted(conformance: Conformance, operation: DocumentOperation, { body }: Shot, { status }: Answered): string[] {
	if (status >= 300 || body === undefined || body.length === 0 || !operation.requestBody) return [];
	const sent: unknown = JSON.parse(
		new TextDecoder().decode(typeof body === 'string' ? new TextEncoder().encode(body) : body),
		withWellFormedNames,
	);
	return conformance
		.requestComplaints(operation, withoutIgnored(conformance, operation, sent))
		.map((complaint) => `it was accepted, but ${complaint}`);
}

/** The validator builds URIs from field names, which fails if a name contains a lone surrogate. */
function withWellFormedNames(_: string, value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), inner]));
}

/** The body without what the routes ignore: fields marked x-lenient, and blank strings on tracking routes. */
function withoutIgnored({ document }: Conformance, operation: DocumentOperation, sent: unknown): unknown {
	const schema = operation.requestBody?.content['application/json']?.schema;
	if (!schema || typeof sent !== 'object' || sent === null) return sent;
	const isTracking = /track(Click|Lead|Sale|Refund)$/i.test(operation.operationId);
	const fields = new Map(propertiesOf(resolved(schema.anyOf?.[0] ?? schema, document.components.schemas)));
	const isLeftOut = (value: unknown) => isTracking && typeof value === 'string' && value.trim() === '';
	return Object.fromEntries(
		Object.entries(sent).filter(([field, value]) => fields.get(field)?.['x-lenient'] !== true && !isLeftOut(value)),
	);
}
