import type { ProcessorName } from '../world/account.ts';

/** A deliberate bug, for the process of the harness only: a piece of text of the service replaced by another. */
export interface PlantedFault {
	readonly name: string;
	/** What one might be thinking who writes it, or what it does. */
	readonly why: string;
	readonly edits: readonly Edit[];
	/** Where it is in what reads one processor: its histories dwell on that one. */
	readonly processor?: ProcessorName;
	/** Where nothing can come of it: the other layer that makes it so. */
	readonly harmless?: string;
}

export interface Edit {
	/** From the root of the project. A migration is rewritten before it is applied. */
	readonly file: string;
	/** Stands in the file exactly once. */
	readonly find: string;
	readonly replace: string;
}

/** Faults in what reads one processor. */
export function onlyOf(processor: ProcessorName, faults: readonly PlantedFault[]): readonly PlantedFault[] {
	return faults.map((fault) => ({ ...fault, processor }));
}

/** Applies the edits that concern a file. Throws where the text to replace is not there exactly once: the plant has withered. */
export function plant(fault: PlantedFault, file: string, text: string): string {
	return fault.edits
		.filter((edit) => edit.file === file)
		.reduce((planted, { find, replace }) => {
			const pieces = planted.split(find);
			if (pieces.length !== 2) {
				throw new Error(
					`Planted fault "${fault.name}": its text stands ${pieces.length - 1} times in ${file}. Adapt it to the code as it is now.`,
				);
			}
			return pieces.join(replace);
		}, text);
}
