import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../testing/root.ts';

export const DOCUMENT = join(ROOT, 'public/api/openapi.json');

export function committedDocument(): string {
	return readFileSync(DOCUMENT, 'utf8');
}
