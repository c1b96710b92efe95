import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plant, type PlantedFault } from './planted-fault.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The environment names it. */
export function plantedHere<Fault extends PlantedFault>(faults: readonly Fault[]): Fault | undefined {
	const name = process.env['PLANTED_FAULT'];
	if (name === undefined) return undefined;
	const fault = faults.find((candidate) => candidate.name === name);
	if (!fault) throw new Error(`There is no planted fault "${name}"`);
	return fault;
}

export function plantAtLoad(fault: PlantedFault): void {
	registerHooks({
		load(url, context, nextLoad) {
			const loaded = nextLoad(url, context);
			if (!url.startsWith('file:') || loaded.source === undefined || loaded.source === null) return loaded;
			const file = relative(ROOT, fileURLToPath(url));
			if (!fault.edits.some((edit) => edit.file === file)) return loaded;
			const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
			return { ...loaded, source: plant(fault, file, source) };
		},
	});
}
