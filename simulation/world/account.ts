import type { Random } from '../../testing/random.ts';
import type { Program } from './world.ts';

// What has happened at the processors in a history, and the events that tell of it. Each is noted with what it says, as its teller
// knows it that made it: the oracle does not read payloads.

/** What metadata says of who pays. */
export interface Claims {
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
	/** The program that it names: another one than the event was sent to has it refused. */
	readonly programId: number | undefined;
}

/** Somebody who pays, once or again and again. */
export interface Payer {
	readonly program: Program;
	readonly processor: ProcessorName;
	/** The processor's own id of who pays. */
	readonly customerId: string;
	readonly isTest: boolean;
	/** Minor units; the currency in upper case. */
	readonly price: { readonly amount: number; readonly currency: string };
	/** All that is said of who it is, whatever says it. */
	readonly claims: readonly Claims[];
	readonly subscription: Subscription | undefined;
	readonly purchases: Purchase[];
	/** A slow payment whose end is not known yet. */
	isPending: boolean;
	readonly tell: PayerGenerator;
}

export interface Subscription {
	readonly id: string;
	/** What the subscription itself says of who pays. */
	readonly claims: Claims | undefined;
	readonly beganAt: number;
	readonly isTrial: boolean;
}

/** A payment of somebody. */
export interface Purchase {
	readonly payer: Payer;
	/** All ids that the processor has for it. */
	readonly ids: readonly string[];
	/** Who may have made it, as far as anything of it says. */
	readonly claims: readonly Claims[];
	/** What refunds are parts of; 0: nothing was charged. */
	readonly chargedCents: number;
	readonly isRenewal: boolean;
	/** What is left of a period, after a change. */
	readonly isProration: boolean;
	readonly refunds: Refund[];
	/** `asked`: the bank inquires, and takes nothing; the cents are those that it holds back, or held until it was won; `at`: since when. */
	dispute: { readonly state: 'none' | 'asked' | 'open' | 'lost' | 'won'; readonly cents: number; readonly at: number };
	readonly tell: PurchaseGenerator;
}

export interface Refund {
	readonly id: string;
	readonly cents: number;
	hasFailed: boolean;
}

export const PROCESSORS = ['stripe', 'custom', 'paddle'] as const;
export type ProcessorName = (typeof PROCESSORS)[number];

/** What more may happen to a payer, in their processor's words. */
export interface PayerGenerator {
	/** A slow payment succeeds or fails. */
	readonly conclude: (random: Random, purchase: Purchase) => Telling[];
	readonly renew: (random: Random) => Beginning;
	/** The subscription ends. */
	readonly end: (purchase: Purchase) => Telling[];
}

/** What more may happen to a payment: some of the events that tell of it, at least one. */
export interface PurchaseGenerator {
	readonly refund: (random: Random, cents: number) => { readonly id: string; readonly tellings: readonly Telling[] };
	readonly fail: (random: Random, refundId: string) => readonly Telling[];
	readonly contest: (random: Random) => { readonly isInquiry: boolean; readonly cents: number; readonly tellings: readonly Telling[] };
	readonly decide: (random: Random, isWon: boolean) => readonly Telling[];
	/** A dispute that was won is lost, or opened again, under the same id. */
	readonly loseAgain: (random: Random) => readonly Telling[];
}

/** A payment that begins, and the events that tell of it. */
export interface Beginning {
	readonly purchase: Purchase;
	readonly tellings: readonly Telling[];
}

export interface ParsedReversal {
	readonly kind: 'refund' | 'dispute' | 'total';
	readonly id: string;
	readonly amountCents: number;
	readonly isUndone: boolean;
}

export interface ParsedSale {
	readonly transactionId: string;
	/** Without tax and shipping, and with them. */
	readonly netCents: number;
	readonly grossCents: number;
	/** Of which refunds are shares. */
	readonly chargedCents: number;
	/** Whether only another event, its bill, knows what of it is no sale. */
	readonly needsBill: boolean;
	/** What may be recorded as bought. */
	readonly products: readonly (string | null)[];
}

/** That something was paid, that ids belong together, that money was given back, or nothing of these. */
export type Says =
	| { readonly kind: 'sale'; readonly sale: ParsedSale }
	| { readonly kind: 'ids' | 'nothing' }
	| { readonly kind: 'reversal'; readonly reversals: readonly ParsedReversal[] };

/** An event, and what it says. */
export interface Telling {
	readonly event: Sent;
	readonly says: Says;
	/** What it says itself of who pays. */
	readonly claims: Claims | undefined;
	/** Those of the payment that it names. */
	readonly ids: readonly string[];
	/** When what it tells of was paid. */
	readonly paidAt: number;
	/** Whether the service reads who is meant: only then can it be somebody else's. */
	readonly isAboutSomebody: boolean;
	/** What it says of a subscription's beginning. */
	readonly beginning: { readonly at: number; readonly isTrial: boolean } | undefined;
	/** The type of the event that says who paid where this one does not. */
	readonly reportedBy: string | undefined;
	/** Whether it says what of a payment that tells of itself is no sale. */
	readonly isBill: boolean;
}

/** An event as its processor has it; what is sent of it is signed for each delivery. */
export interface Sent {
	readonly id: string;
	readonly type: string;
	readonly body: object;
}

/** An event on its way to a program's address. */
export interface Mail extends Telling {
	readonly program: Program;
	readonly purchase: Purchase;
	/** The business did not select it, or the processor gave up: it never comes. */
	readonly isLost: boolean;
	isAcknowledged: boolean;
}

/** The accounts at the processors: each is one that all programs of the world share. */
export class Account {
	readonly payers: Payer[] = [];
	readonly #mails = new Map<string, Mail>();

	post(mail: Mail): void {
		this.#mails.set(keyOf(mail.program.id, mail.event.id), mail);
	}

	mails(): Mail[] {
		return [...this.#mails.values()];
	}

	mailOf(programId: number, eventId: string): Mail | undefined {
		return this.#mails.get(keyOf(programId, eventId));
	}

	purchases(): Purchase[] {
		return this.payers.flatMap(({ purchases }) => purchases);
	}
}

function keyOf(programId: number, eventId: string): string {
	return `${programId} ${eventId}`;
}
