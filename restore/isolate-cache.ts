import { openContext } from '../src/context.ts';
import { nodeBindings } from '../testing/service/node-bindings.ts';

/** Clears what this process has cached from another database. */
export function clearIsolateCache(): void {
	for (const part of Object.values(openContext(nodeBindings(), { waitUntil() {} }))) if (part instanceof Map) part.clear();
}
