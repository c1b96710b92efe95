import type { Answered, Conformance, DocumentOperation } from '../testing/openapi/conformance.ts';
import type { Shot } from './requests.ts';
import { propertiesOf, resolved } from './schema.ts';

/** What is wrong with an answer. */
export function judge(conformance: Conformance, shot: Shot, answer: Answered): string[] {
	const fault = answer.status >= 500 ? ['a fault'] : [];
	const operation = conformance.operationOf(answer.method, answer.path);
	if (!operation) return [...fault, ...unknownRouteComplaints(answer)];
	return [...fault, ...conformance.complaintsAbout(answer), ...tooKind(conformance, operation, shot, answer)];
}

/** A hostile id may have made it another path, or none. */
function unknownRouteComplaints({ status, text, path }: Answered): string[] {
	// `/r/%2e%2e` is the front page, which is no route of the API; whoever is signed in is led on from it.
	if ((status === 200 || status === 302) && new URL(path, 'http://service.test').pathname === '/') return [];
	const isError = /^\{"error":".+"\}$/s.test(text);
	return isError && (status === 404 || status === 405) ? [] : ['a path that does not exist is 404 or 405 with {"error": string}'];
}

/** A body that was taken though the document forbids it. */
function tooKind(conformance: Conformance, operation: DocumentOperation, { body }: Shot, { status }: Answered): string[] {
	if (status >= 300 || body === undefined || body.length === 0 || !operation.requestBody) return [];
	const sent: unknown = JSON.parse(
		new TextDecoder().decode(typeof body === 'string' ? new TextEncoder().encode(body) : body),
		withWellFormedNames,
	);
	return conformance
		.requestComplaints(operation, asTaken(conformance, operation, sent))
		.map((complaint) => `it was taken, but ${complaint}`);
}

/** The validator makes addresses of the names of fields, which it cannot of half a character. */
function withWellFormedNames(_: string, value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), inner]));
}

/** Without what the routes say they ignore: fields that are lenient, and on tracking routes blank strings. */
function asTaken({ document }: Conformance, operation: DocumentOperation, sent: unknown): unknown {
	const schema = operation.requestBody?.content['application/json']?.schema;
	if (!schema || typeof sent !== 'object' || sent === null) return sent;
	const isTracking = /track(Click|Lead|Sale|Refund)$/i.test(operation.operationId);
	const fields = new Map(propertiesOf(resolved(schema.anyOf?.[0] ?? schema, document.components.schemas)));
	const isLeftOut = (value: unknown) => isTracking && typeof value === 'string' && value.trim() === '';
	return Object.fromEntries(
		Object.entries(sent).filter(([field, value]) => fields.get(field)?.['x-lenient'] !== true && !isLeftOut(value)),
	);
}
