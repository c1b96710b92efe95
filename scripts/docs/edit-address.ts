import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../testing/root.ts';

/** What this needs of a package.json. */
interface Package {
	readonly repository?: string | { readonly url: string };
}

/** Where a file is changed: by package.json's `repository`, an https address. Undefined where it names none. */
export function editAddress(file: string, packageJson = readFileSync(join(ROOT, 'package.json'), 'utf8')): string | undefined {
	const { repository = '' }: Package = JSON.parse(packageJson);
	const named = typeof repository === 'string' ? repository : repository.url;
	const [, address] = /^(?:git\+)?(https:\/\/.+?)(?:\.git)?\/?$/.exec(named) ?? [];
	return address === undefined ? undefined : `${address}/edit/main/${file}`;
}
