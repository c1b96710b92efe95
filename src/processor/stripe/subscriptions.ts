import * as z from 'zod/mini';
import { attributionOf, bindingOf, Metadata } from './attribution.ts';
import { type EventReader, nothing, told } from './event-reader.ts';
import { read, Ref, Seconds, Text } from './fields.ts';

const Subscription = z.object({ id: Ref, status: Text, customer: Ref, metadata: Metadata, ended_at: Seconds });

/** A new subscription: who it is of, and with a trial a signup. */
export const readNewSubscription: EventReader = (object) => {
	const subscription = read(Subscription, object);
	if (subscription?.id === undefined) return nothing('subscription without an id');
	const attribution = attributionOf([subscription.metadata], [subscription.id, subscription.customer]);
	const bindings = bindingOf(attribution);
	return subscription.status === 'trialing'
		? told('trial began', ...bindings, { kind: 'signup', attribution })
		: told('subscription began: its invoices make the sales', ...bindings);
};

/** A changed one: its metadata may only now say who it is of. */
export const readChangedSubscription: EventReader = (object) => {
	const subscription = read(Subscription, object);
	if (subscription?.id === undefined) return nothing('subscription without an id');
	const bindings = bindingOf(attributionOf([subscription.metadata], [subscription.id, subscription.customer]));
	return told('subscription changed', ...bindings);
};

export const readEndedSubscription: EventReader = (object, { happenedAt }) => {
	const subscription = read(Subscription, object);
	if (subscription?.id === undefined) return nothing('subscription without an id');
	const { id, ended_at: endedAt } = subscription;
	const fact = { kind: 'subscription_end', subscriptionId: id, endedAt: endedAt === undefined ? happenedAt : endedAt * 1000 } as const;
	return told('subscription ended', fact);
};
