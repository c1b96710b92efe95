import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../testing/root.ts';

interface Package {
	readonly repository?: string | { readonly url: string };
}

/** The URL for editing a file, from `repository` in package.json. Undefined if that is not an https URL. */
export function editAddress(file: string, packageJson = readFileSync(join(ROOT, 'package.json'), 'utf8')): string | undefined {
	const { repository = '' }: Package = JSON.parse(packageJson);
	const named = typeof repository === 'string' ? repository : repository.url;
	const [, address] = /^(?:git\+)?(https:\/\/.+?)(?:\.git)?\/?$/.exec(named) ?? [];
	return address === undefined ? undefined : `${address}/edit/main/${file}`;
}
