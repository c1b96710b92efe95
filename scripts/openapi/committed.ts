import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../testing/root.ts';

/** Where the document lies, as the Worker serves it. */
export const DOCUMENT = join(ROOT, 'public/api/openapi.json');

/** The document as it lies there. */
export function committedDocument(): string {
	return readFileSync(DOCUMENT, 'utf8');
}
