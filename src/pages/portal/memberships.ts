import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { AnswerOf, api } from '../api.ts';
import { meQuery } from '../layout/me.ts';
import { membershipQuery } from './queries.ts';

type Me = AnswerOf<Awaited<ReturnType<typeof api.v1.me.$get>>>['data'];
export type PartnerAccount = Me['partner_accounts'][number];
export type Membership = PartnerAccount['partner_programs'][number];

/** Includes programs that the person has left. */
export function membershipsOf(accounts: readonly PartnerAccount[]): (Membership & { readonly account: PartnerAccount })[] {
	return accounts.flatMap((account) => account.partner_programs.map((membership) => ({ ...membership, account })));
}

const LAST = 'membership';

export function cacheMembership(id: string): void {
	localStorage.setItem(LAST, id);
}

/** The program opened last, or else the newest active one. */
export function firstMembership(accounts: readonly PartnerAccount[]): Membership | undefined {
	const all = membershipsOf(accounts);
	const last = localStorage.getItem(LAST);
	return all.find(({ id }) => String(id) === last) ?? all.findLast(({ status }) => status === 'active') ?? all.at(-1);
}

/** The membership in the URL, its partner account, and whether it is active. */
export function useMembership() {
	const { membershipId } = useParams({ from: '/shell/programs/$membershipId' });
	const { data: membership } = useSuspenseQuery(membershipQuery(membershipId));
	const { data: me } = useSuspenseQuery(meQuery);
	const account = me.partner_accounts.find(({ partner_programs }) => partner_programs.some(({ id }) => id === membership.id));
	const { program, status } = membership;
	return {
		membershipId,
		membership,
		program,
		account,
		status,
		zone: program.time_zone,
		isActive: status === 'active',
		isArchived: program.archived_at !== null,
	};
}
