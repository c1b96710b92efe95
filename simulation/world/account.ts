import type { Random } from '../../testing/random.ts';
import type { Program } from './world.ts';

// What happened at the processors, and the events that report it. Each event's meaning is recorded, so the oracle need not read payloads.

/** What the metadata says about the payer. */
export interface Claims {
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
	/** Other programs refuse the event. */
	readonly programId: number | undefined;
}

export interface Payer {
	readonly program: Program;
	readonly processor: ProcessorName;
	/** The processor's id. */
	readonly customerId: string;
	readonly isTest: boolean;
	/** Minor units; the currency in upper case. */
	readonly price: { readonly amount: number; readonly currency: string };
	/** All claims, from every source. */
	readonly claims: readonly Claims[];
	readonly subscription: Subscription | undefined;
	readonly purchases: Purchase[];
	/** A payment that takes time and has no result yet. */
	isPending: boolean;
	readonly generate: PayerGenerator;
}

export interface Subscription {
	readonly id: string;
	readonly claims: Claims | undefined;
	readonly beganAt: number;
	readonly isTrial: boolean;
}

export interface Purchase {
	readonly payer: Payer;
	/** All ids that the processor has for it. */
	readonly ids: readonly string[];
	/** Everyone who may have made it, according to its claims. */
	readonly claims: readonly Claims[];
	/** The total that refunds are a share of. 0 if nothing was charged. */
	readonly chargedCents: number;
	readonly isRenewal: boolean;
	/** A charge for the rest of a period after a plan change. */
	readonly isProration: boolean;
	readonly refunds: Refund[];
	/**
	 * `inquiry`: the bank withholds nothing. `cents`: the amount withheld, or withheld until the dispute was won. `at`: when this state began.
	 */
	dispute: { readonly state: 'none' | 'inquiry' | 'open' | 'lost' | 'won'; readonly cents: number; readonly at: number };
	readonly generate: PurchaseGenerator;
}

export interface Refund {
	readonly id: string;
	readonly cents: number;
	hasFailed: boolean;
}

export const PROCESSORS = ['stripe', 'custom', 'paddle'] as const;
export type ProcessorName = (typeof PROCESSORS)[number];

/** Later events of a payer in the processor's format. */
export interface PayerGenerator {
	/** A slow payment succeeds or fails. */
	readonly conclude: (random: Random, purchase: Purchase) => ParsedEvent[];
	readonly renew: (random: Random) => Beginning;
	readonly end: (purchase: Purchase) => ParsedEvent[];
}

/** Each method generates at least one event. */
export interface PurchaseGenerator {
	readonly refund: (random: Random, cents: number) => { readonly id: string; readonly events: readonly ParsedEvent[] };
	readonly fail: (random: Random, refundId: string) => readonly ParsedEvent[];
	readonly contest: (random: Random) => { readonly isInquiry: boolean; readonly cents: number; readonly events: readonly ParsedEvent[] };
	readonly decide: (random: Random, isWon: boolean) => readonly ParsedEvent[];
	/** A won dispute is lost, or opened again under the same id. */
	readonly loseAgain: (random: Random) => readonly ParsedEvent[];
}

export interface Beginning {
	readonly purchase: Purchase;
	readonly events: readonly ParsedEvent[];
}

export interface ParsedReversal {
	readonly kind: 'refund' | 'dispute' | 'total';
	readonly id: string;
	readonly amountCents: number;
	readonly isUndone: boolean;
}

export interface ParsedSale {
	readonly transactionId: string;
	/** `netCents` excludes tax and shipping, `grossCents` includes them. */
	readonly netCents: number;
	readonly grossCents: number;
	/** The total that refunds are a share of. */
	readonly chargedCents: number;
	/** Whether only its bill shows which part does not count as a sale. */
	readonly needsBill: boolean;
	/** The products that may be recorded. */
	readonly products: readonly (string | null)[];
}

export type Says =
	| { readonly kind: 'sale'; readonly sale: ParsedSale }
	| { readonly kind: 'ids' | 'nothing' }
	| { readonly kind: 'reversal'; readonly reversals: readonly ParsedReversal[] };

export interface ParsedEvent {
	readonly event: Sent;
	readonly says: Says;
	/** The claims in the event itself. */
	readonly claims: Claims | undefined;
	readonly ids: readonly string[];
	readonly paidAt: number;
	/** Whether the service reads who paid. Only then can it refuse the event as another program's. */
	readonly isAboutSomebody: boolean;
	/** The start of the subscription, according to the event. */
	readonly beginning: { readonly at: number; readonly isTrial: boolean } | undefined;
	/** The event type that says who paid if this one does not. */
	readonly reportedBy: string | undefined;
	/** Whether it is the bill for a payment that its payment intent reports. */
	readonly isBill: boolean;
}

/** An event before it is signed for a delivery. */
export interface Sent {
	readonly id: string;
	readonly type: string;
	readonly body: object;
}

export interface EventDelivery extends ParsedEvent {
	readonly program: Program;
	readonly purchase: Purchase;
	/** The business did not subscribe to it, or the processor gave up. */
	readonly isLost: boolean;
	isAcknowledged: boolean;
}

/** All programs share these accounts. */
export class Account {
	readonly payers: Payer[] = [];
	readonly #deliveries = new Map<string, EventDelivery>();

	post(delivery: EventDelivery): void {
		this.#deliveries.set(keyOf(delivery.program.id, delivery.event.id), delivery);
	}

	deliveries(): EventDelivery[] {
		return [...this.#deliveries.values()];
	}

	deliveryOf(programId: number, eventId: string): EventDelivery | undefined {
		return this.#deliveries.get(keyOf(programId, eventId));
	}

	purchases(): Purchase[] {
		return this.payers.flatMap(({ purchases }) => purchases);
	}
}

function keyOf(programId: number, eventId: string): string {
	return `${programId} ${eventId}`;
}
