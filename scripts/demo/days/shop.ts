import type { StripeEvent } from '../../../testing/stripe/wire.ts';
import { signed } from '../../../testing/stripe/sign.ts';
import { addressOf } from './cast.ts';
import { type CallOptions, type Fields, fieldsIn, type ServiceClient } from './service-client.ts';

/** What a page reports about a visit. */
export interface Visit {
	readonly shortLink: string;
	readonly agent: string;
	readonly country?: string | undefined;
	readonly referrer?: string | undefined;
	readonly path?: string;
	readonly title?: string;
	readonly campaign?: string | undefined;
	readonly language?: string;
	readonly timezone?: string;
	readonly isTest?: boolean;
}

export interface ShopSettings {
	/** The prefix of order ids, customer keys and links, which makes them unique across programs. */
	readonly prefix: string;
	readonly domain: string;
	readonly settings: Fields;
}

const TEST = { additional_data: { test_mode: true } };

/** A program, and calls from its people, visitors, backend and Stripe. */
export class Shop {
	readonly id: number;
	readonly domain: string;
	/** The current key. Like `session`, it changes during the ninety days. */
	key: string;
	session: string;
	/** The session of an admin, who makes decisions and payouts. */
	deputy = '';
	/** Partner ids by slug. */
	readonly partners = new Map<string, number>();
	/** The signing secret of its Stripe webhook. */
	webhookSecret = '';
	readonly #client: ServiceClient;

	readonly #prefix: string;
	#customers = 1_000;
	#orders = 10_000;

	static async open(client: ServiceClient, session: string, shop: ShopSettings): Promise<Shop> {
		const made = await client.dataOf('/api/v1/programs', { token: session, body: { domain: shop.domain, ...shop.settings } });
		return new Shop(client, session, shop, made);
	}

	private constructor(client: ServiceClient, session: string, { domain, prefix }: ShopSettings, { id, api_token: key }: Fields) {
		this.#client = client;
		this.session = session;
		this.domain = domain;
		this.#prefix = prefix;
		this.id = Number(id);
		this.key = String(key);
	}

	/** Calls as the owner. */
	manage(path: string, body?: Fields, options: CallOptions = {}): Promise<Fields> {
		return this.#client.dataOf(this.#path(path), { token: this.session, network: 1, ...(body && { body }), ...options });
	}

	list(path: string, body?: Fields): Promise<readonly Fields[]> {
		return this.#client.listOf(this.#path(path), { token: this.session, network: 1, ...(body && { body }) });
	}

	/** Makes a decision about money or an application, as the admin. Returns the result as a list. */
	async decide(path: string, body: Fields): Promise<readonly Fields[]> {
		const { data } = await this.#client.call(this.#path(path), { token: this.deputy, network: 2, body });
		return fieldsIn(Array.isArray(data) ? data : [data]);
	}

	partner(slug: string): number {
		const id = this.partners.get(slug);
		if (id === undefined) throw new Error(`${slug} is not a partner of ${this.domain}`);
		return id;
	}

	newCustomer(): { readonly customer_key: string; readonly email: string } {
		this.#customers += 1;
		return { customer_key: `${this.#prefix}user-${this.#customers}`, email: addressOf(this.#customers) };
	}

	newOrder(): string {
		this.#orders += 1;
		return `${this.#prefix.toUpperCase()}NW-${this.#orders}`;
	}

	shortLink(name = ''): string {
		return `${this.#prefix}${name}`;
	}

	/** Reports a click and returns its id. */
	async click(visit: Visit): Promise<string> {
		const { agent, country, path = '/', campaign, shortLink } = visit;
		const url = `https://${this.domain}${path}?aff=${shortLink}${campaign === undefined ? '' : `&utm_campaign=${campaign}`}`;
		const body = {
			affiliate_url: url,
			page_url: url,
			page_title: visit.title,
			referrer_url: visit.referrer,
			language: visit.language,
			timezone: visit.timezone,
			...(visit.isTest === true ? TEST : {}),
		};
		const headers = { 'User-Agent': agent, ...(country === undefined ? {} : { 'CF-IPCountry': country }) };
		return String((await this.#client.call('/api/v1/track/click', { body, headers }))['click_id']);
	}

	/** Reports an event as the backend. `status` is the expected status if the event should be refused. */
	track(what: 'lead' | 'sale' | 'refund', body: Fields, status?: number): Promise<Fields> {
		return this.#client.call(`/api/v1/track/${what}`, { token: this.key, body, ...(status !== undefined && { status }) });
	}

	/** Reports an event as a page, without the key. */
	page(what: 'click' | 'lead', body: Fields, origin: string, status?: number): Promise<Fields> {
		return this.#client.call(`/api/v1/track/${what}`, { body, headers: { Origin: origin }, ...(status !== undefined && { status }) });
	}

	trackTest(what: 'lead' | 'sale' | 'refund', body: Fields): Promise<Fields> {
		return this.track(what, { ...body, ...TEST });
	}

	/** Delivers events as Stripe does. */
	async stripe(...events: readonly StripeEvent[]): Promise<void> {
		for (const event of events) {
			const { body, header } = signed(event, this.webhookSecret, Date.now());
			await this.#client.call(`/webhooks/stripe/${this.id}`, { body, headers: { 'Stripe-Signature': header, 'User-Agent': 'Stripe/1.0' } });
		}
		await this.#client.settle();
	}

	#path(path: string): string {
		return `/api/v1/programs/${this.id}${path}`;
	}
}
