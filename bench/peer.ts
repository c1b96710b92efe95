import type { Options } from './options.ts';
export async function comparePeer(_options: Options): Promise<unknown> {
	return undefined;
}
