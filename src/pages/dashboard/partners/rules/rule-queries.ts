import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../../api.ts';

export type Rule = Awaited<ReturnType<typeof ask>>['data'][number];

const MOST = 10;

/** All rules in force, by precedence. */
export function rulesQuery(programId: string) {
	return queryOptions({
		queryKey: ['rules', programId],
		queryFn: async ({ signal }) => {
			const rows: Rule[] = [];
			let cursor: string | undefined;
			for (let page = 0; page < MOST; page += 1) {
				const { data, meta } = await ask(programId, cursor, signal);
				rows.push(...data);
				cursor = meta.next_cursor ?? undefined;
				if (cursor === undefined) break;
			}
			return { rows, isWhole: cursor === undefined };
		},
	});
}

function ask(id: string, cursor: string | undefined, signal: AbortSignal) {
	const query = { limit: '200', cursor };
	return answerOf(api.v1.programs[':id']['commission-rules'].$get({ param: { id }, query }, { init: { signal } }));
}
