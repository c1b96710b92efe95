import type { ProcessorName } from '../world/account.ts';
import type { Theme } from '../world/theme.ts';

/** A deliberate bug: replaces one piece of the service's source, only in a process of the harness. */
export interface PlantedFault {
	readonly name: string;
	/** The mistaken reasoning behind it, or its effect. */
	readonly why: string;
	readonly edits: readonly Edit[];
	/** Its histories focus on this processor. */
	readonly processor?: ProcessorName;
	readonly isOnRetirement?: true;
	/** Its histories all have this theme, which finds it sooner. */
	readonly theme?: Theme['name'];
	/** The layer that prevents any effect. */
	readonly harmless?: string;
}

export interface Edit {
	/** Relative to the project's root. A migration is rewritten before it is applied. */
	readonly file: string;
	/** Must occur exactly once in the file. */
	readonly find: string;
	readonly replace: string;
}

export function onlyOf(processor: ProcessorName, faults: readonly PlantedFault[]): readonly PlantedFault[] {
	return faults.map((fault) => ({ ...fault, processor }));
}

/** Throws if the text does not occur exactly once, because then the code has changed. */
export function plant(fault: PlantedFault, file: string, text: string): string {
	return fault.edits
		.filter((edit) => edit.file === file)
		.reduce((planted, { find, replace }) => {
			const pieces = planted.split(find);
			if (pieces.length !== 2) {
				throw new Error(
					`Planted fault "${fault.name}": its text occurs ${pieces.length - 1} times in ${file}. Adapt it to the current code.`,
				);
			}
			return pieces.join(replace);
		}, text);
}
