import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api.ts';

export type Partner = Awaited<ReturnType<typeof askPartner>>['data'];
export type MembershipStatus = Partner['status'];
export type Group = Awaited<ReturnType<typeof askGroups>>['data'][number];
export type ShownLink = Partner['links'][number] & { readonly partner: { readonly id: number; readonly name: string } | null };

export function partnerQuery(programId: string, partnerId: string) {
	return queryOptions({
		queryKey: ['partner', programId, partnerId],
		queryFn: async ({ signal }) => (await askPartner(programId, partnerId, signal)).data,
	});
}

/** The first 200; nobody could use a longer list. */
export function groupsQuery(programId: string) {
	return queryOptions({
		queryKey: ['groups', programId],
		queryFn: async ({ signal }) => (await askGroups(programId, signal)).data,
	});
}

function askPartner(id: string, partnerId: string, signal: AbortSignal) {
	return answerOf(api.v1.programs[':id'].partners[':partnerId'].$get({ param: { id, partnerId } }, { init: { signal } }));
}

function askGroups(id: string, signal: AbortSignal) {
	return answerOf(api.v1.programs[':id'].groups.$get({ param: { id }, query: { limit: '200' } }, { init: { signal } }));
}

export function applicationCountsQuery(id: string) {
	return queryOptions({
		queryKey: ['applications', id, 'counts'],
		queryFn: async ({ signal }) =>
			(await answerOf(api.v1.programs[':id'].applications.summary.$get({ param: { id } }, { init: { signal } }))).data,
	});
}
