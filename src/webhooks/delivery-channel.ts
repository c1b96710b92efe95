import type { SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import type { Attempt, OutgoingRequest } from './attempt.ts';

/** Webhooks to programs' backends, or postbacks to partners' systems. */
export interface DeliveryChannel<Delivery extends ClaimedDelivery> extends Tables {
	/** `ids` is a JSON list. */
	readonly find: (ctx: Context, ids: string) => Promise<readonly Delivery[]>;
	readonly requestOf: (ctx: Context, delivery: Delivery) => Promise<OutgoingRequest | PutOff>;
	/** Records an attempt while the lease lasts. `next` is the outcome, or the time of the retry. */
	readonly noted: (ctx: Context, delivery: Delivery, attempt: Attempt, next: 'delivered' | 'failed' | number) => Statement;
	/** Notifies a receiver's owners if the previous statement of the batch disabled it. */
	readonly notifyOfDisabling: (ctx: Context, receiverId: number) => Statement;
}

export interface Tables {
	readonly name: 'webhooks' | 'postbacks';
	readonly deliveries: SQL;
	readonly receivers: SQL;
	/** The column of a delivery that names its receiver. */
	readonly receiverId: SQL;
	/** Whether nothing is sent to receiver `r`. */
	readonly isOff: SQL;
	/** Further assignments when a delivery fails. */
	readonly givenUp: (ctx: Context) => SQL;
}

/** Belongs to this consumer until its lease expires. */
export interface ClaimedDelivery {
	readonly id: number;
	readonly receiverId: number;
	/** Earlier attempts in the retry schedule. */
	readonly tries: number;
	/** The receiver's failed attempts since its last success. */
	readonly failures: number;
}

/** The request has to wait. */
export interface PutOff {
	readonly until: number;
}
