import { type RefusedCall, refusedCallOf } from '../../domain/refusal.ts';
import { customEventIn, type EventType } from './body.ts';

const OPERATIONS: Readonly<Record<EventType, RefusedCall['operation']>> = {
	payment: 'sale',
	renewal: 'sale',
	subscription_end: 'sale',
	refund: 'refund',
	dispute: 'refund',
	signup: 'lead',
};

/** For the program's log of refusals. */
export function refusedCallOfEvent(body: unknown): RefusedCall {
	const read = customEventIn(body);
	if ('problem' in read) return refusedCallOf('sale', 'backend', undefined);
	const { type, data } = read.event;
	return refusedCallOf(OPERATIONS[type], 'backend', { ...data, transaction_id: 'payment_id' in data ? data.payment_id : undefined });
}
