import { answerOf, api } from '../../../api.ts';
import { plural } from '../../../format.ts';
import type { Filter, Matching } from './commission-queries.ts';

// Selected commissions are decided directly; all that match a filter are decided by a run.

export type Decision = 'approve' | 'reject';

export const DECIDED = { approve: 'Approved', reject: 'Rejected' } as const;

const AT_ONCE = 500;

export type Choice = { readonly commission_ids: number[] } | AllMatching;

interface AllMatching {
	readonly filter: Omit<Filter, 'partner_id'> & { readonly status: Matching['status']; readonly partner_id: number | undefined };
	readonly expected_count: number;
}

export function allOf({ filter: { partner_id, ...filter }, status, count }: Matching): AllMatching {
	return { filter: { ...filter, status, partner_id: partner_id === undefined ? undefined : Number(partner_id) }, expected_count: count };
}

export function needsRun(choice: Choice): choice is AllMatching {
	return 'filter' in choice && choice.expected_count > AT_ONCE;
}

/** Returns how many were decided, or undefined if a run was started. */
export async function decide(id: string, decision: Decision, choice: Choice, reason?: string): Promise<number | undefined> {
	const { commissions } = api.v1.programs[':id'];
	const param = { id };
	if (needsRun(choice)) {
		await answerOf(commissions.runs.$post({ param, json: { decision, reason, ...choice } }));
		return undefined;
	}
	const decided =
		decision === 'approve'
			? await answerOf(commissions.approve.$post({ param, json: choice }))
			: await answerOf(commissions.reject.$post({ param, json: { ...choice, reason } }));
	return decided.data.length;
}

export function saidOf(decision: Decision, decided: number | undefined): string {
	const doing = decision === 'approve' ? 'approving' : 'rejecting';
	return decided === undefined ? `Started: the service is ${doing} them now` : `${DECIDED[decision]}: ${plural(decided, 'commission')}`;
}
