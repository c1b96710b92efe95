import type { Payment, Story } from '../../testing/stripe/told.ts';
import type { StripeEvent } from '../../testing/stripe/wire.ts';
import type { Program } from './world.ts';

// What has happened at Stripe in a history, and the events that tell of it. Each is noted with what it says, as the simulation
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
	readonly story: Story;
	/** `held`: a checkout that is captured by hand; `alone`: an intent without any. */
	readonly kind: 'single' | 'invoiced' | 'slow' | 'held' | 'alone' | 'subscription' | 'trial';
	readonly shape: 'old' | 'new';
	readonly isTest: boolean;
	/** Minor units; the currency in upper case. */
	readonly price: { readonly amount: number; readonly tax: number; readonly shipping: number; readonly currency: string };
	/** What the checkout session and what the subscription says of the payer. */
	readonly checkoutClaims: Claims | undefined;
	readonly subscriptionClaims: Claims | undefined;
	/** What its payment intent says. */
	readonly intentClaims: Claims | undefined;
	/** What was captured of the price, where that is done by hand. */
	readonly captured: number | undefined;
	/** Of a single payment, as the metadata that say who paid name it. */
	readonly productId: string | undefined;
	readonly purchases: Purchase[];
	/** A slow payment whose end is not known yet. */
	isPending: boolean;
}

/** What was charged for each of somebody's payments. */
export function chargedFor({ captured, price }: Payer): number {
	return captured ?? price.amount;
}

/** A payment of somebody. */
export interface Purchase {
	readonly payer: Payer;
	readonly payment: Payment;
	/** All ids that Stripe has for it. */
	readonly ids: readonly string[];
	readonly isRenewal: boolean;
	/** What is left of a period, after a change. */
	readonly isProration: boolean;
	isDisputed: boolean;
	/** Refunds that failed, by id. */
	readonly failed: Set<string>;
}

export interface SaidReversal {
	readonly kind: 'refund' | 'dispute' | 'total';
	readonly id: string;
	readonly amountCents: number;
	readonly isUndone: boolean;
}

/** That something was paid, that ids belong together, that money was given back, or nothing of these. */
export type Says =
	| { readonly kind: 'sale' | 'ids' | 'nothing' }
	| { readonly kind: 'reversal'; readonly reversals: readonly SaidReversal[] };

/** An event on its way to a program's address. */
export interface Mail {
	readonly program: Program;
	readonly event: StripeEvent;
	readonly purchase: Purchase;
	readonly says: Says;
	/** What it says itself of who pays. */
	readonly claims: Claims | undefined;
	/** The business did not select it, or Stripe gave up: it never comes. */
	readonly isLost: boolean;
	isAcknowledged: boolean;
}

/** The account that all programs of the world share. */
export class StripeAccount {
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
