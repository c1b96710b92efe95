import type { PostbackEvent } from '../../domain/webhooks/postback.ts';
import { moment } from '../format.ts';
import { Badge } from '../ui/small.tsx';

// Both the partner and the program see these labels.

const NAMES = {
	lead: 'Signup',
	sale: 'Sale',
	reversed: 'Deduction',
	reinstated: 'Reinstatement',
} as const satisfies Record<PostbackEvent, string>;

export function eventName(event: PostbackEvent): string {
	return NAMES[event];
}

/** The partner sees all of it, and the program all but the answer. */
export interface Call {
	readonly event: PostbackEvent;
	readonly test: boolean;
	readonly status: 'pending' | 'delivered' | 'failed';
	readonly attempts: number;
	readonly next_attempt_at: string | null;
	readonly last_status: number | null;
	readonly last_error: string | null;
	readonly last_response?: string | null;
}

export function CalledFor({ call: { event, test } }: { call: Call }) {
	return (
		<span className="row">
			{eventName(event)} {test && <Badge>Test</Badge>}
		</span>
	);
}

export function CallResult({ call, zone }: { call: Call; zone: string }) {
	const { status, attempts, last_status, last_error, last_response, next_attempt_at } = call;
	const answer = [last_status === null ? undefined : `It answered with ${last_status}.`, last_error && `${last_error}.`, last_response];
	const reason = answer.filter((part) => part).join(' ');
	if (status === 'delivered')
		return (
			<Badge tone="good" reason={reason}>
				Delivered
			</Badge>
		);
	if (status === 'failed')
		return (
			<Badge tone="bad" reason={reason}>
				Failed
			</Badge>
		);
	if (attempts === 0) return <Badge>On its way</Badge>;
	return (
		<span className="lines">
			<span>
				<Badge tone="warn" reason={reason}>
					{last_status === null ? 'No answer' : `Answered with ${last_status}`}
				</Badge>
			</span>
			{next_attempt_at !== null && <span className="quiet small">Next attempt: {moment(next_attempt_at, zone)}</span>}
		</span>
	);
}
