// Loaded with --import before anything of src/: gives the process its planted fault.
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plant } from './planted-fault.ts';
import { plantedHere } from './planted-faults.ts';

const ROOT = join(import.meta.dirname, '../..');
const fault = plantedHere();

if (fault) {
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
