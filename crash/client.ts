import type { Random } from '../testing/random.ts';
import {
	acknowledgements,
	type Answer,
	foundRecorded,
	type Intent,
	isSettled,
	type Journal,
	type SaleWrite,
	type WebhookWrite,
} from './journal.ts';
import type { Outgoing, Send } from './send.ts';
import type { Shop, World } from './shops.ts';
import { charge, refundPayment, type Paid } from './stripe.ts';

interface Customer {
	readonly shop: Shop;
	readonly partner: Shop['partners'][number];
	readonly clickId: string;
	/** The id that sales use for this customer. */
	readonly identity: { readonly customer_key: string } | { readonly click_id: string };
}

interface Sold {
	readonly write: SaleWrite;
	readonly customer: Customer;
	readonly subscriptionId: string | undefined;
}

/**
 * Acts as a shop's visitors and backend. Sends random writes, repeats some on purpose, and after a restart retries those that got no
 * response.
 */
export class Client {
	readonly #name: string;
	readonly #world: World;
	readonly #random: Random;
	readonly #journal: Journal;
	readonly #customers: Customer[] = [];
	readonly #sold: Sold[] = [];
	readonly #paid: Paid[] = [];
	readonly #unsettled: Intent[] = [];
	#send: Send | undefined;
	#isDown = false;
	#count = 0;

	constructor(name: string, world: World, random: Random, journal: Journal) {
		this.#name = name;
		this.#world = world;
		this.#random = random;
		this.#journal = journal;
	}

	/** Works until the server dies, or for this many steps. */
	async work(send: Send, steps = Infinity): Promise<void> {
		await this.settle(send);
		for (let step = 0; step < steps && !this.#isDown; step += 1) await this.#step();
	}

	/** Retries the writes that got no response. */
	async settle(send: Send): Promise<void> {
		this.#send = send;
		this.#isDown = false;
		while (this.#unsettled.length > 0 && !this.#isDown) {
			const intent = this.#unsettled[0];
			if (intent) await this.#attempt(intent);
			if (intent && isSettled(intent)) this.#unsettled.shift();
		}
	}

	#step(): Promise<void> {
		const roll = this.#random.below(100);
		if (roll < 36 || this.#customers.length === 0) return this.#meetVisitor();
		if (roll < 62 || this.#sold.length === 0) return this.#sell(this.#random.pick(this.#customers));
		if (roll < 69) return this.#renew();
		if (roll < 84) return this.#refund(this.#random.pick(this.#sold));
		if (roll < 92) return this.#reportPayment();
		if (roll < 96) return this.#decide(this.#random.pick(this.#sold));
		return this.#pay(this.#random.pick(this.#world.shops));
	}

	/** A click, usually followed by a lead or sale before the click's row is stored. */
	async #meetVisitor(): Promise<void> {
		const shop = this.#random.pick(this.#world.shops);
		const partner = this.#random.pick(shop.partners);
		const { status, body } = await this.#post({
			path: '/api/v1/track/click',
			token: undefined,
			request: { affiliate_url: `https://shop.example/?aff=${partner.shortLink}` },
		});
		if (status === 'unknown') {
			this.#isDown = true;
			this.#journal.unknownClicks += 1;
			return;
		}
		if (status !== 200) throw new Error(`A click was answered ${status}: ${JSON.stringify(body)}`);
		const clickId = String(body['click_id']);
		this.#journal.clicks.push(clickId);
		// Only clicks of nobody are retired.
		if (this.#random.chance(0.4)) return;
		const key = this.#unique('customer');
		const withKey: Customer = { shop, partner, clickId, identity: { customer_key: key } };
		const byClick: Customer = { shop, partner, clickId, identity: { click_id: clickId } };
		const lead = { kind: 'lead', path: '/api/v1/track/lead', clickId, partnerProgramId: partner.partnerProgramId, answers: [] } as const;
		const roll = this.#random.below(10);
		if (roll < 6) {
			await this.#write({ ...lead, answers: [], token: shop.apiToken, request: { click_id: clickId, customer_key: key } });
			this.#customers.push(withKey);
		} else if (roll < 8) {
			await this.#write({ ...lead, answers: [], token: undefined, request: { click_id: clickId } });
			this.#customers.push(byClick);
		} else {
			this.#customers.push(byClick);
			await this.#sell(byClick);
		}
	}

	async #sell(customer: Customer, subscriptionId?: string): Promise<void> {
		const { shop, partner, identity, clickId } = customer;
		const currency = this.#random.chance(0.8) ? shop.currency : this.#random.pick([shop.currency, ...shop.otherCurrencies]);
		const transactionId = this.#unique('txn');
		const amountCents = this.#random.between(1, 30_000);
		const subscription = subscriptionId ?? (this.#random.chance(0.3) ? this.#unique('sub') : undefined);
		const write: SaleWrite = {
			kind: 'sale',
			programId: shop.programId,
			transactionId,
			amountCents,
			currency,
			clickId,
			partnerProgramId: partner.partnerProgramId,
			path: '/api/v1/track/sale',
			token: shop.apiToken,
			request: {
				...identity,
				transaction_id: transactionId,
				amount_cents: amountCents,
				currency,
				...(subscription === undefined
					? {}
					: { sale_type: 'subscription', subscription_id: subscription, is_recurring: subscriptionId !== undefined }),
			},
			answers: [],
		};
		this.#sold.push({ write, customer, subscriptionId: subscription });
		await this.#write(write);
	}

	async #renew(): Promise<void> {
		const { customer, subscriptionId } = this.#random.pick(this.#sold);
		await this.#sell(customer, subscriptionId);
	}

	async #refund({ write, customer }: Sold): Promise<void> {
		const withId = this.#random.chance(0.7);
		const refundId = withId ? this.#unique('refund') : null;
		const isPartial = this.#random.chance(withId ? 0.8 : 0.4);
		await this.#write({
			kind: 'refund',
			transactionId: write.transactionId,
			refundId,
			path: '/api/v1/track/refund',
			token: customer.shop.apiToken,
			request: {
				transaction_id: write.transactionId,
				refund_reason: 'Crash test',
				...(refundId === null ? {} : { refund_id: refundId }),
				...(isPartial ? { refund_amount_cents: this.#random.between(1, write.amountCents) } : {}),
			},
			answers: [],
		});
	}

	async #reportPayment(): Promise<void> {
		if (this.#paid.length > 0 && this.#random.chance(0.5)) return this.#deliver(refundPayment(this.#random, this.#random.pick(this.#paid)));
		const { shop, partner, clickId, identity } = this.#random.pick(this.#customers);
		const { paid, events } = charge(this.#random, shop, { clickId, partnerProgramId: partner.partnerProgramId }, identity);
		this.#paid.push(paid);
		this.#journal.charges.push(paid.charge);
		await this.#deliver(events);
	}

	async #deliver(events: readonly WebhookWrite[]): Promise<void> {
		for (const event of events) await this.#write(event);
	}

	async #decide({ write, customer }: Sold): Promise<void> {
		const commissionId = write.answers.map((answer) => answer.body['commission_id']).find((id) => typeof id === 'number');
		if (commissionId === undefined) return;
		const decision = this.#random.chance(0.7) ? 'approve' : 'reject';
		await this.#write({
			kind: 'decision',
			decision,
			commissionId,
			path: `/api/v1/programs/${customer.shop.programId}/commissions/${decision}`,
			token: this.#world.ownerToken,
			request: { commission_ids: [commissionId] },
			answers: [],
		});
	}

	async #pay(shop: Shop): Promise<void> {
		await this.#write({
			kind: 'payout',
			programId: shop.programId,
			path: `/api/v1/programs/${shop.programId}/payouts`,
			token: this.#world.ownerToken,
			request: this.#random.chance(0.5) ? { partner_ids: [this.#random.pick(shop.partners).partnerId] } : { minimum_cents: 1_000 },
			answers: [],
		});
	}

	/** Repeats some writes, either at the same time or after the response. */
	async #write(intent: Intent): Promise<void> {
		this.#journal.intents.push(intent);
		const isRepeated = intent.kind !== 'payout' && this.#random.chance(0.12);
		if (isRepeated && this.#random.chance(0.5)) await Promise.all([this.#attempt(intent), this.#attempt(intent)]);
		else await this.#attempt(intent);
		if (!isSettled(intent)) this.#unsettled.push(intent);
		else if (isRepeated && !this.#isDown && (acknowledgements(intent).length > 0 || foundRecorded(intent))) await this.#attempt(intent);
	}

	async #attempt(intent: Intent): Promise<void> {
		const answer = await this.#post(intent);
		intent.answers.push(answer);
		if (answer.status === 'unknown') this.#isDown = true;
	}

	#post(outgoing: Outgoing): Promise<Answer> {
		if (!this.#send) throw new Error('The client has not started');
		return this.#send(outgoing);
	}

	#unique(prefix: string): string {
		this.#count += 1;
		return `${prefix}-${this.#name}-${this.#count}`;
	}
}
