import { answerOf, api } from '../../api.ts';
import { useAction } from '../../ui/use-action.ts';
import { useProgram } from '../use-program.ts';

export type ProgramChange = Parameters<(typeof api.v1.programs)[':id']['$patch']>[0]['json'];

/** Sends only the changed fields, so that concurrent changes survive. */
export function useChangeProgram({ isQuiet = false, onDone }: { isQuiet?: boolean; onDone?: () => void } = {}) {
	const { programId, program } = useProgram();
	return useAction({
		send: async (settings: ProgramChange) => {
			const before: Readonly<Record<string, unknown>> = program;
			const changed = Object.entries(settings).filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value));
			if (changed.length === 0) return 'There are no changes to save';
			const { message } = await answerOf(api.v1.programs[':id'].$patch({ param: { id: programId }, json: Object.fromEntries(changed) }));
			// The service reports what else it has changed.
			return message === undefined ? 'Saved' : `Saved. ${message}`;
		},
		successMessage: (result) => result,
		isQuiet,
		onDone,
	});
}
