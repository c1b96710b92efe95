import { queryOptions, skipToken } from '@tanstack/react-query';

// What the service returns only once, cached in this tab until the page is reloaded.

/** The key of a new program. */
export function newKeyQuery(programId: string) {
	return shownOnce<string>(['new-key', programId]);
}

interface Invitation {
	readonly invitation_url: string | null;
	readonly email: string | null;
	readonly mailed: boolean;
}

/** A partner's invitation, until another one replaces it. */
export function newInvitationQuery(programId: string, partnerId: number) {
	return shownOnce<Invitation>(['new-invitation', programId, partnerId]);
}

function shownOnce<Data>(queryKey: readonly unknown[]) {
	return queryOptions<Data>({ queryKey, queryFn: skipToken, staleTime: Infinity, gcTime: Infinity });
}
