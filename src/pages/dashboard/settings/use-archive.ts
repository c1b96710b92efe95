import { answerOf, api } from '../../api.ts';
import { useAction } from '../../ui/use-action.ts';

export function useArchive(id: string) {
	return useAction({
		send: () => answerOf(api.v1.programs[':id'].archive.$post({ param: { id } })),
		successMessage: ({ data }) => `${data.name} was archived`,
		undo: () => restore(id),
	});
}

export function useRestore(id: string) {
	return useAction({
		send: () => restore(id),
		successMessage: ({ data }) =>
			data.active ? `${data.name} was restored and is active` : `${data.name} was restored. It is not active yet`,
	});
}

function restore(id: string) {
	return answerOf(api.v1.programs[':id'].restore.$post({ param: { id } }));
}
