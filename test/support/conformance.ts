import { expect } from 'vitest';
import text from '../../public/api/openapi.json?raw';
import { type Answered, Conformance, type Document } from '../../testing/openapi/conformance.ts';

const document: Document = JSON.parse(text);

/** The document that the Worker serves. */
export const conformance = new Conformance(document);

/** test/project/openapi.test.ts reports missing routes. */
export function expectConformance(answer: Answered): void {
	const path = answer.path.replace(/[?#].*$/s, '');
	if (!conformance.operationOf(answer.method, path)) return;
	expect(
		conformance.complaintsAbout({ ...answer, path }),
		`${answer.method} ${path}: ${answer.status} ${answer.text.slice(0, 500)}`,
	).toEqual([]);
}
