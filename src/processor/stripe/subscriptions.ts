import * as z from 'zod/mini';
import type { Beginning } from '../../domain/processors/processor-event.ts';
import { attributionOf, referenceFactOf, Metadata } from '../reading/attribution.ts';
import { type EventContext, type EventReader, nothing, withFacts } from '../reading/event-reader.ts';
import { read, Ref, Seconds, Text } from '../reading/fields.ts';

const Subscription = z.object({
	id: Ref,
	status: Text,
	metadata: Metadata,
	latest_invoice: Ref,
	created: Seconds,
	trial_start: Seconds,
	ended_at: Seconds,
});

type Subscription = z.infer<typeof Subscription>;

/** A subscription with a trial is also a signup. */
export const readNewSubscription: EventReader = (object, event) => {
	const subscription = read(Subscription, object);
	if (subscription?.id === undefined) return nothing('subscription without an id');
	const { id, metadata, status, latest_invoice: firstInvoice } = subscription;
	const bindings = referenceFactOf(attributionOf([metadata], [id]), beginningOf(subscription, event));
	return status === 'trialing'
		? withFacts('trial began', ...bindings, { kind: 'signup', attribution: attributionOf([metadata], [id, firstInvoice]) })
		: withFacts('subscription began: its invoices make the sales', ...bindings);
};

/** Read because metadata may have been added later. */
export const readChangedSubscription: EventReader = (object, event) => {
	const subscription = read(Subscription, object);
	if (subscription?.id === undefined) return nothing('subscription without an id');
	const bindings = referenceFactOf(attributionOf([subscription.metadata], [subscription.id]), beginningOf(subscription, event));
	return withFacts('subscription changed', ...bindings);
};

export const readEndedSubscription: EventReader = (object, { happenedAt }) => {
	const subscription = read(Subscription, object);
	if (subscription?.id === undefined) return nothing('subscription without an id');
	const { id, ended_at: endedAt } = subscription;
	const fact = { kind: 'subscription_end', subscriptionId: id, endedAt: endedAt === undefined ? happenedAt : endedAt * 1000 } as const;
	return withFacts('subscription ended', fact);
};

/** Not `start_date`, which businesses may backdate for billing. */
function beginningOf({ created, trial_start: trialStart }: Subscription, { happenedAt }: EventContext): Beginning {
	return {
		beganAt: created === undefined ? happenedAt : created * 1000,
		trialBeganAt: trialStart === undefined ? undefined : trialStart * 1000,
	};
}
