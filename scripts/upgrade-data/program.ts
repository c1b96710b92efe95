import { signed } from '../../testing/stripe/sign.ts';
import type { Fields, HeldService } from './held-service.ts';

interface Visit {
	readonly country?: string | undefined;
	readonly from?: string | undefined;
	readonly agent?: string;
	readonly isTest?: boolean;
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0';
const WEBHOOK_SECRET = 'whsec_0123456789abcdef0123456789abcdef';

/** A program, and calls from its owner, visitors, backend and Stripe. */
export class Program {
	readonly id: number;
	readonly key: string;
	readonly #service: HeldService;
	readonly #owner: string;
	readonly #partners = new Map<string, number>();

	/** `owner` is a session token. */
	static async make(service: HeldService, owner: string, fields: Fields): Promise<Program> {
		return new Program(service, owner, await service.call('/api/v1/programs', { token: owner, body: fields }));
	}

	private constructor(service: HeldService, owner: string, { id, api_token: key }: Fields) {
		this.#service = service;
		this.#owner = owner;
		this.id = Number(id);
		this.key = String(key);
	}

	/** The same program on a service with a copy of the database. */
	at(service: HeldService): Program {
		const same = new Program(service, this.#owner, { id: this.id, api_token: this.key });
		for (const [name, id] of this.#partners) same.#partners.set(name, id);
		return same;
	}

	manage(path: string, body?: Fields, method = 'POST'): Promise<Fields> {
		return this.#service.call(`/api/v1/programs/${this.id}${path}`, { token: this.#owner, method, ...(body && { body }) });
	}

	change(fields: Fields): Promise<Fields> {
		return this.manage('', fields, 'PATCH');
	}

	/** Adds a partner with a link of that name, by default the partner's name. */
	async join(name: string, link = name): Promise<void> {
		const { id } = await this.manage('/partners', { name, email: `${name}@partner.example`, short_link: this.#shortLink(link) });
		this.#partners.set(name, Number(id));
	}

	link(partner: string, link: string): Promise<Fields> {
		return this.manage('/links', { partner_id: this.partner(partner), short_link: this.#shortLink(link) });
	}

	partner(name: string): number {
		const id = this.#partners.get(name);
		if (id === undefined) throw new Error(`${name} is not a partner`);
		return id;
	}

	suspend(name: string, status = 'suspended'): Promise<Fields> {
		return this.manage(`/partners/${this.partner(name)}`, { status }, 'PATCH');
	}

	end(name: string): Promise<Fields> {
		return this.manage(`/partners/${this.partner(name)}`, undefined, 'DELETE');
	}

	async reject(transactionId: string): Promise<void> {
		const commission = this.#service.sqlite
			.prepare('SELECT c.id FROM commissions c JOIN affiliate_sale_events s ON s.id = c.sale_id WHERE s.processor_event_id = ?')
			.get(transactionId);
		await this.manage('/commissions/reject', { commission_ids: [commission?.['id']], reason: 'Bought by the partner' });
	}

	async click(link: string, { country, from, agent = BROWSER, isTest = false }: Visit): Promise<string> {
		const body = {
			affiliate_url: `https://shop.example/?aff=${this.#shortLink(link)}`,
			referrer_url: from,
			user_agent: agent,
			...(isTest ? { additional_data: { test_mode: true } } : {}),
		};
		const headers = { 'User-Agent': agent, ...(country === undefined ? {} : { 'CF-IPCountry': country }) };
		return String((await this.#service.call('/api/v1/track/click', { body, headers }))['click_id']);
	}

	lead(customerKey: string, clickId?: string): Promise<Fields> {
		return this.#track('lead', { customer_key: customerKey, click_id: clickId });
	}

	sale(transactionId: string, amountCents: number, { status, ...sale }: Fields): Promise<Fields> {
		return this.#track('sale', { transaction_id: transactionId, amount_cents: amountCents, ...sale }, Number(status ?? 200));
	}

	refund(transactionId: string, refund: Fields): Promise<Fields> {
		return this.#track('refund', { transaction_id: transactionId, ...refund });
	}

	async sendTests(): Promise<void> {
		const test = { additional_data: { test_mode: true } };
		await this.#track('lead', { customer_key: 'tester', ...test });
		await this.#track('sale', { transaction_id: 'order-1', amount_cents: 500, ...test });
		await this.#track('refund', { transaction_id: 'order-1', ...test });
	}

	connectStripe(): Promise<Fields> {
		return this.manage('/stripe', { webhook_secret: WEBHOOK_SECRET }, 'PUT');
	}

	/** Delivers Stripe's events one at a time, each processed before the next. */
	async stripe(...events: readonly unknown[]): Promise<void> {
		for (const event of events) {
			const { body, header } = signed(event, WEBHOOK_SECRET, Date.now());
			await this.#service.text(`/webhooks/stripe/${this.id}`, { body, headers: { 'Stripe-Signature': header } });
			await this.#service.worker.deliverHeld();
		}
	}

	#track(route: string, body: Fields, status = 200): Promise<Fields> {
		return this.#service.call(`/api/v1/track/${route}`, { token: this.key, body, status });
	}

	#shortLink(name: string): string {
		return `${name}-of-${this.id}`;
	}
}
