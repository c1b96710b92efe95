import type { SigningSecret } from '../context.ts';
import type { PaymentFact, ProcessorEvent } from '../domain/processors/processor-event.ts';
import type { RefusedCall } from '../domain/refusal.ts';

/** Everything in which processors differ. A processor's terms stay inside its folder. No I/O except signature hashes. */
export interface Processor {
	/** Used in URLs and in the database. */
	readonly name: string;
	/** The name shown to people. */
	readonly title: string;
	/** Required headers of each delivery. */
	readonly signatureHeaders: readonly string[];
	/** Integrators select these. */
	readonly eventTypes: readonly string[];
	readonly secretForm: SecretForm;
	readonly refusals: Refusals;
	/** Set if its payment ids are the program's own, such as order numbers (decision 55). */
	readonly hasOwnIds?: true;
	/** What a payment without a known payer lacks, and where to set it. By default, our metadata. */
	readonly unattributed?: (fact: PaymentFact) => string;
	/** Set if the program's own backend writes its events, so its customers are as certain as in calls with the program key. */
	readonly isOwnBackend?: true;
	/** Defaults to `processor.connect` and `processor.disconnect`. */
	readonly audited?: { readonly connect: 'stripe.connect'; readonly disconnect: 'stripe.disconnect' };
	/** In ms, not verified; undefined if there is none. */
	readonly signedAt: (headers: Delivery['headers']) => number | undefined;
	/** For a processor that reads our answers: how a repeated body differs from the first one, and how the log of refusals shows it. */
	readonly repetitions?: {
		readonly differingFields: (first: unknown, again: unknown) => readonly string[];
		readonly refusedCallOf: (body: unknown) => RefusedCall;
	};
	/** Undefined if no secret signed this delivery, or the signature is too old. */
	readonly verify: (delivery: Delivery, secrets: readonly SigningSecret[], now: number) => Promise<Verified | undefined>;
	/** Pure, and never throws: an unreadable body has no facts and a summary that says so. */
	readonly read: (body: unknown, envelope: Envelope, basis: AmountBasis) => ProcessorEvent;
}

/** Whether sales count without tax and shipping, or with them. */
export type AmountBasis = 'net' | 'gross';

export interface SecretForm {
	readonly pattern: RegExp;
	/** Follows the field's name in an error. */
	readonly error: string;
	readonly prefix: string;
	/** Set if payloads do not state their mode, so that each secret must. */
	readonly namesMode: boolean;
	/** Set if we create the secret, for the sender to use. */
	readonly isOurs?: true;
}

/** They say what to do. */
export interface Refusals {
	readonly unsigned: string;
	readonly forged: string;
	readonly unreadable: string;
}

export interface Delivery {
	readonly payload: Uint8Array;
	/** By name. */
	readonly headers: Readonly<Record<string, string>>;
}

export interface Verified {
	readonly body: unknown;
	/** Undefined if it is not an event. */
	readonly envelope: Envelope | undefined;
	/** If `refusals.unreadable` does not explain it. */
	readonly problem?: string;
}

export interface Envelope {
	/** Unique per event. */
	readonly eventId: string;
	readonly type: string;
	readonly isTest: boolean;
	/** In ms. */
	readonly happenedAt: number;
}
