import type { SigningSecret } from '../context.ts';
import type { PaymentFact, ProcessorEvent } from '../domain/processors/processor-event.ts';
import type { RefusedCall } from '../domain/refusal.ts';

/**
 * A payment processor: everything in which processors differ. Its terms stay inside its folder; processors.ts lists all processors. No I/O
 * except signature hashes.
 */
export interface Processor {
	/** Used in URLs and in the database. */
	readonly name: string;
	/** The name shown to people. */
	readonly title: string;
	/** Required headers of each delivery. */
	readonly signatureHeaders: readonly string[];
	/** The event types that are read, which the integrator selects. */
	readonly eventTypes: readonly string[];
	readonly secretForm: SecretForm;
	readonly refusals: Refusals;
	/** Whether its payment ids are the program's own, such as order numbers, which other programs may also use (decision 55). */
	readonly hasOwnIds?: true;
	/** Explains what a payment without a known payer lacks, and where to set it. If undefined, the explanation names our metadata. */
	readonly unattributed?: (fact: PaymentFact) => string;
	/** Whether the program's own backend writes its events, so that its customers are as certain as in calls with the program key. */
	readonly isOwnBackend?: true;
	/** The audit log's actions, if not `processor.connect` and `processor.disconnect`. */
	readonly audited?: { readonly connect: 'stripe.connect'; readonly disconnect: 'stripe.disconnect' };
	/** The signing time that a delivery claims, in ms and not yet verified; undefined if it has none. */
	readonly signedAt: (headers: Delivery['headers']) => number | undefined;
	/**
	 * For a processor that reads our answers: finds the fields in which a repeated body differs from the first one with its event id, and
	 * describes the call for the log of refusals.
	 */
	readonly repetitions?: {
		readonly differingFields: (first: unknown, again: unknown) => readonly string[];
		readonly refusedCallOf: (body: unknown) => RefusedCall;
	};
	/** Undefined if no secret signed this delivery, or the signature is too old. */
	readonly verify: (delivery: Delivery, secrets: readonly SigningSecret[], now: number) => Promise<Verified | undefined>;
	/** The facts in a body. Pure, and never throws: an unreadable body has no facts and a summary that says so. */
	readonly read: (body: unknown, envelope: Envelope, basis: AmountBasis) => ProcessorEvent;
}

/** Whether sales count without tax and shipping, or with them. */
export type AmountBasis = 'net' | 'gross';

/** The format of a signing secret. */
export interface SecretForm {
	readonly pattern: RegExp;
	/** Follows the field's name in an error. */
	readonly error: string;
	/** The prefix of each secret, shown with its last characters. */
	readonly prefix: string;
	/** Whether payloads do not state their mode, so that each secret must. */
	readonly namesMode: boolean;
	/** Whether we create the secret, for the sender to use. */
	readonly isOurs?: true;
}

/** Errors for senders, which say what to do. */
export interface Refusals {
	/** A header is missing. */
	readonly unsigned: string;
	readonly forged: string;
	/** The body is signed, but is not an event. */
	readonly unreadable: string;
}

/** A delivery as it arrived. */
export interface Delivery {
	readonly payload: Uint8Array;
	/** The headers in `signatureHeaders`, keyed by name. */
	readonly headers: Readonly<Record<string, string>>;
}

/** A verified delivery. */
export interface Verified {
	readonly body: unknown;
	/** Undefined if it is not an event. */
	readonly envelope: Envelope | undefined;
	/** Why it is not an event, if `refusals.unreadable` does not explain it. */
	readonly problem?: string;
}

/** The common fields of every event. */
export interface Envelope {
	/** Unique per event. */
	readonly eventId: string;
	readonly type: string;
	/** Whether the event is from the processor's test mode. */
	readonly isTest: boolean;
	/** In ms. */
	readonly happenedAt: number;
}
