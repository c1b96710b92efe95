import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../testing/root.ts';

/** The document that the Worker serves. */
export const DOCUMENT = join(ROOT, 'public/api/openapi.json');

/** The committed document. */
export function committedDocument(): string {
	return readFileSync(DOCUMENT, 'utf8');
}
