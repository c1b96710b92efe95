import { join } from 'node:path';

/** The folder that package.json is in. */
export const ROOT = join(import.meta.dirname, '..');
