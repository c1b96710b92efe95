import type { SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import type { Attempt, OutgoingRequest } from './attempt.ts';

/** What the sender needs for a kind of delivery: webhooks to programs' backends, or postbacks to partners' systems. */
export interface DeliveryChannel<Delivery extends ClaimedDelivery> extends Tables {
	/** Finds deliveries by ids (JSON). */
	readonly find: (ctx: Context, ids: string) => Promise<readonly Delivery[]>;
	readonly requestOf: (ctx: Context, delivery: Delivery) => Promise<OutgoingRequest | PutOff>;
	/** Records an attempt while the lease lasts, with its outcome or the time of the retry. */
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
	/** Whether sending to a receiver `r` is off. */
	readonly isOff: SQL;
	/** Further assignments when a delivery fails. */
	readonly givenUp: (ctx: Context) => SQL;
}

/** A delivery that belongs to this consumer until its lease expires. */
export interface ClaimedDelivery {
	readonly id: number;
	readonly receiverId: number;
	/** Earlier attempts that count for the retry schedule. */
	readonly tries: number;
	/** The receiver's failed attempts since its last success. */
	readonly failures: number;
}

/** The request has to wait. */
export interface PutOff {
	readonly until: number;
}
