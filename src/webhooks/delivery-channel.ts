import type { SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import type { Attempt, OutgoingRequest } from './attempt.ts';

/** What a table of receivers and one of their deliveries are sent by: webhooks to backends of programs, postbacks to systems of partners. */
export interface DeliveryChannel<Delivery extends ClaimedDelivery> extends Tables {
	/** Those of the ids (JSON). */
	readonly find: (ctx: Context, ids: string) => Promise<readonly Delivery[]>;
	readonly requestOf: (ctx: Context, delivery: Delivery) => Promise<OutgoingRequest | PutOff>;
	/** Notes an attempt in the row of its delivery, while the lease lasts: what became of it, or when it is sent again. */
	readonly noted: (ctx: Context, delivery: Delivery, attempt: Attempt, next: 'delivered' | 'failed' | number) => Statement;
	/** Tells whom it concerns that a receiver was disabled, if the statement before has done so. */
	readonly notifyOfDisabling: (ctx: Context, receiverId: number) => Statement;
}

/** Where they are stored, in names of SQL. */
export interface Tables {
	readonly name: 'webhooks' | 'postbacks';
	readonly deliveries: SQL;
	readonly receivers: SQL;
	/** Of a delivery, the column that names its receiver. */
	readonly receiverId: SQL;
	/** Whether a receiver `r` is sent nothing. */
	readonly isOff: SQL;
	/** What else is set of a delivery that is given up. */
	readonly givenUp: (ctx: Context) => SQL;
}

/** A delivery that is this consumer's until its lease is over. */
export interface ClaimedDelivery {
	readonly id: number;
	readonly receiverId: number;
	/** Attempts before, of those that the schedule counts. */
	readonly tries: number;
	/** Attempts of its receiver that failed since the last one that did not. */
	readonly failures: number;
}

/** It cannot be made yet. */
export interface PutOff {
	readonly until: number;
}
