import type { SigningSecret } from '../context.ts';
import type { PaymentFact, ProcessorEvent } from '../domain/processors/processor-event.ts';
import type { RefusedCall } from '../domain/refusal.ts';

/**
 * A payment processor: all in which one differs from another. Its words end in its folder; processors.ts lists them all. Without
 * I/O, but for the hash of a signature.
 */
export interface Processor {
	/** In addresses and in the database. */
	readonly name: string;
	/** As people call it. */
	readonly title: string;
	/** Each of its deliveries has them. */
	readonly signatureHeaders: readonly string[];
	/** Those that are read: what to select there. */
	readonly eventTypes: readonly string[];
	readonly secretForm: SecretForm;
	readonly refusals: Refusals;
	/** Whether its payments have the program's own ids, such as order numbers: other programs may have the same (decision 55). */
	readonly hasOwnIds?: true;
	/** What is missing for a payment that nobody is known to have made, and where to set it; undefined: as our metadata has it. */
	readonly unattributed?: (fact: PaymentFact) => string;
	/** Whether its events are written by the program's own backend, which knows its customers as a caller with the program key does. */
	readonly isOwnBackend?: true;
	/** In the audit log, where that is no `processor.connect` and `processor.disconnect`. */
	readonly audited?: { readonly connect: 'stripe.connect'; readonly disconnect: 'stripe.disconnect' };
	/** When a delivery says that it was signed, ms; undefined: it does not say. Nothing proves it yet. */
	readonly signedAt: (headers: Delivery['headers']) => number | undefined;
	/**
	 * For a processor that reads our answers: the fields in which a body that comes again under the id of an event differs from the first,
	 * and what the call would have recorded, for the log of refusals.
	 */
	readonly repetitions?: {
		readonly differingFields: (first: unknown, again: unknown) => readonly string[];
		readonly refusedCallOf: (body: unknown) => RefusedCall;
	};
	/** Undefined: none of the secrets has signed this delivery, or it was signed too long ago. */
	readonly verify: (delivery: Delivery, secrets: readonly SigningSecret[], now: number) => Promise<Verified | undefined>;
	/** What a body says, in our words. Pure, and never throws: what it cannot read gives no facts and a summary that says so. */
	readonly read: (body: unknown, envelope: Envelope, basis: AmountBasis) => ProcessorEvent;
}

/** Whether a sale counts without its tax and shipping, or with them. */
export type AmountBasis = 'net' | 'gross';

/** What a signing secret looks like. */
export interface SecretForm {
	readonly pattern: RegExp;
	/** Behind the field's name, of one that is none. */
	readonly error: string;
	/** What each begins with: told with how it ends. */
	readonly prefix: string;
	/** Whether payloads do not say which mode they are of: then each secret does. */
	readonly namesMode: boolean;
	/** Whether it is made here, for the sender to be told. */
	readonly isOurs?: true;
}

/** What senders are told, and what to do. */
export interface Refusals {
	/** One of the headers is missing. */
	readonly unsigned: string;
	readonly forged: string;
	/** It is signed, but no event. */
	readonly unreadable: string;
}

/** A delivery, as it came. */
export interface Delivery {
	readonly payload: Uint8Array;
	/** Those of `signatureHeaders`, by the names there. */
	readonly headers: Readonly<Record<string, string>>;
}

/** A delivery that a secret has signed. */
export interface Verified {
	readonly body: unknown;
	/** Undefined: it is no event. */
	readonly envelope: Envelope | undefined;
	/** Why it is none, where there is more to say than `refusals.unreadable`. */
	readonly problem?: string;
}

/** What every event has around what it says. */
export interface Envelope {
	/** By which it is kept once. */
	readonly eventId: string;
	readonly type: string;
	/** Of the processor's test mode. */
	readonly isTest: boolean;
	/** ms. */
	readonly happenedAt: number;
}
