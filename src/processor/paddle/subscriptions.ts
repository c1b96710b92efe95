import * as z from 'zod/mini';
import type { Beginning } from '../../domain/processors/processor-event.ts';
import { attributionOf, referenceFactOf, Metadata } from '../reading/attribution.ts';
import { type EventContext, type EventReader, nothing, withFacts } from '../reading/event-reader.ts';
import { loose, read, Ref, Text } from '../reading/fields.ts';
import { Instant } from './fields.ts';

const Subscription = z.object({
	id: Ref,
	status: Text,
	custom_data: Metadata,
	/** Only in `subscription.created`: the first transaction. */
	transaction_id: Ref,
	created_at: Instant,
	canceled_at: Instant,
	items: loose(z.array(loose(z.object({ trial_dates: loose(z.object({ starts_at: Instant })) })))),
});

type Subscription = z.infer<typeof Subscription>;

/** A subscription with a trial is also a signup. */
export const readNewSubscription: EventReader = (object, event) => {
	const subscription = read(Subscription, object);
	if (subscription?.id === undefined) return nothing('subscription without an id');
	const { id, custom_data: claims, status, transaction_id: firstTransaction } = subscription;
	const bindings = referenceFactOf(attributionOf([claims], [id]), beginningOf(subscription, event));
	return status === 'trialing'
		? withFacts('trial began', ...bindings, { kind: 'signup', attribution: attributionOf([claims], [id, firstTransaction]) })
		: withFacts('subscription began: its transactions make the sales', ...bindings);
};

/** Read because custom data may have been added later. */
export const readChangedSubscription: EventReader = (object, event) => {
	const subscription = read(Subscription, object);
	if (subscription?.id === undefined) return nothing('subscription without an id');
	const attribution = attributionOf([subscription.custom_data], [subscription.id]);
	return withFacts('subscription changed', ...referenceFactOf(attribution, beginningOf(subscription, event)));
};

export const readCanceledSubscription: EventReader = (object, { happenedAt }) => {
	const subscription = read(Subscription, object);
	if (subscription?.id === undefined) return nothing('subscription without an id');
	const { id, canceled_at: endedAt = happenedAt } = subscription;
	return withFacts('subscription ended', { kind: 'subscription_end', subscriptionId: id, endedAt });
};

function beginningOf({ created_at: createdAt, status, items }: Subscription, { happenedAt }: EventContext): Beginning {
	const beganAt = createdAt ?? happenedAt;
	const trials = (items ?? []).flatMap((item) => item?.trial_dates?.starts_at ?? []);
	if (trials.length === 0 && status === 'trialing') return { beganAt, trialBeganAt: beganAt };
	return { beganAt, trialBeganAt: trials.length > 0 ? Math.min(...trials) : undefined };
}
