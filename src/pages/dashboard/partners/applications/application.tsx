import { answerOf, api } from '../../../api.ts';
import { Badge, type Tone } from '../../../ui/small.tsx';
import type { ApplicationSearch } from '../routes.ts';

export type Application = Awaited<ReturnType<typeof askApplications>>['data'][number];

export function askApplications(
	id: string,
	{ status, search, cursor, limit }: ApplicationSearch & { readonly limit: string | undefined },
	signal: AbortSignal,
) {
	return answerOf(
		api.v1.programs[':id'].applications.$get(
			{ param: { id }, query: { status, search, cursor, limit, total: 'true' } },
			{ init: { signal } },
		),
	);
}

const STATUSES: Readonly<Record<Application['status'], readonly [label: string, tone: Tone | undefined]>> = {
	open: ['Waiting', 'warn'],
	approved: ['Approved', 'good'],
	declined: ['Declined', undefined],
};

export const APPLICATION_STATUSES = (['open', 'approved', 'declined'] as const).map((value) => ({ value, label: STATUSES[value][0] }));

export function ApplicationStatus({ application: { status, reason } }: { application: Application }) {
	const [label, tone] = STATUSES[status];
	return (
		<Badge tone={tone} reason={reason}>
			{label}
		</Badge>
	);
}
