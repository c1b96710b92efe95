import { answerOf, api } from '../../api.ts';
import { useAction } from '../../ui/use-action.ts';

export function useArchive(id: string) {
	return useAction({
		send: () => answerOf(api.v1.programs[':id'].archive.$post({ param: { id } })),
		successMessage: ({ data }) => `${data.name} is archived`,
	});
}

export function useRestore(id: string) {
	return useAction({
		send: () => answerOf(api.v1.programs[':id'].restore.$post({ param: { id } })),
		successMessage: ({ data }) => (data.active ? `${data.name} is restored, and active` : `${data.name} is restored. It is not active yet`),
	});
}
