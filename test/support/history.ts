import fc from 'fast-check';
import { dayOf, HOUR_MS } from '../../src/domain/calendar.ts';
import type { ClickJob } from '../../src/job.ts';
import { linkPayment } from '../../src/tracking/link-payment.ts';
import { atInstant } from './at-instant.ts';
import { aPartner, type Funnel, rows, track } from './funnel.ts';
import { context } from './payments.ts';
import { aClickJob, deliverClicks } from './report.ts';
import { api, unique } from './world.ts';

// Random histories of a program: what callers and operators do, in any order of days.

/** Decimal places of the currencies in histories. */
export const DECIMALS = { USD: 2, EUR: 2, JPY: 0, KWD: 3 };
/** From here, over some weeks in which the clocks change in most of the zones. */
export const START = Date.UTC(2026, 9, 18, 20);
export const DAYS = 24;

const moment = fc.integer({ min: 0, max: DAYS * 24 * 4 }).map((quarters) => START + (quarters * HOUR_MS) / 4);
const some = fc.nat(50);
/** Where a visitor comes from and by whose link; what its click's row will tell. */
const visitor = fc.record({
	partner: some,
	country: fc.constantFrom(null, 'DE', 'US'),
	referrerUrl: fc.constantFrom(null, 'https://www.google.com/search', 'https://google.com', 'https://t.co/x', 'nonsense'),
});
/** When the row of the click is stored that a lead or sale names. */
const lands = fc.constantFrom('before', 'later', 'never');
const amount = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5_000_000 }));
const currency = fc.constantFrom('USD', 'EUR', 'JPY', 'KWD');

const step = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('clicks' as const),
			at: moment,
			count: fc.integer({ min: 1, max: 4 }),
			isBot: fc.boolean(),
			isTest: fc.boolean(),
			twice: fc.boolean(),
			visitor,
		}),
	},
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('lead' as const), at: moment, visitor, lands }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('direct lead' as const), at: moment }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('take a click' as const), at: moment, customer: some, visitor, lands }) },
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('late clicks' as const), at: moment }) },
	{
		weight: 6,
		arbitrary: fc.record({
			kind: fc.constant('sale' as const),
			at: moment,
			customer: some,
			amount,
			currency: fc.option(currency, { nil: undefined }),
			product: fc.constantFrom(undefined, 'pro', 'gift'),
			visitor,
			lands,
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('refund' as const),
			at: moment,
			sale: some,
			amount: fc.option(amount, { nil: undefined }),
			hasId: fc.boolean(),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('reinstate' as const), sale: some }) },
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('one payment' as const), sale: some, other: some }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('reject' as const), sale: some }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('end membership' as const), partner: some }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('partner' as const), at: moment }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('tests' as const), at: moment }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('delete tests' as const) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('delete click' as const), click: some }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('turn out a bot' as const), click: some }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('move signup' as const), customer: some, at: moment }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('erase lead' as const), customer: some }) },
);
type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Step = ValueOf<typeof step>;
type Visitor = ValueOf<typeof visitor>;
type Partner = Pick<Funnel, 'partnerId' | 'partnerProgramId' | 'shortLink'>;

export const history = fc.record({
	timeZone: fc.constantFrom('UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu', 'Pacific/Auckland', 'Africa/Casablanca'),
	currency,
	steps: fc.array(step, { minLength: 5, maxLength: 30 }),
	asked: fc.record({ from: fc.nat(DAYS), days: fc.nat(12) }),
});

/** A program to which things happen, in any order, as callers and operators make them happen. */
export class World {
	readonly funnel: Funnel;
	readonly #customers: string[] = [];
	readonly #transactions: string[] = [];
	/** Clicks on their way. */
	readonly #late: ClickJob[] = [];
	/** All clicks that were ever stored. */
	readonly landed = new Map<string, ClickJob>();
	/** Whose link is whose, from the beginning: what becomes of a membership later changes nothing. */
	readonly partners: Partner[];
	readonly #timeZone: string;

	constructor(funnel: Funnel, timeZone: string) {
		this.funnel = funnel;
		this.partners = [funnel];
		this.#timeZone = timeZone;
	}

	async take(taken: Step): Promise<void> {
		await atInstant('at' in taken ? taken.at : START, () => this.#take(taken));
	}

	async #take(taken: Step): Promise<void> {
		const { funnel } = this;
		switch (taken.kind) {
			case 'clicks': {
				const { isBot, isTest } = taken;
				const jobs = await Promise.all(Array.from({ length: taken.count }, () => this.#click(taken.visitor, { isBot, isTest })));
				await this.#store(taken.twice ? [...jobs, ...jobs] : jobs);
				if (taken.twice) await this.#store(jobs);
				return;
			}
			case 'lead': {
				const customerKey = unique('customer');
				const clickId = await this.#namedClick(taken);
				await track('lead', { customer_key: customerKey, click_id: clickId }, funnel.apiToken);
				this.#customers.push(customerKey);
				return;
			}
			case 'direct lead': {
				const customerKey = unique('customer');
				await track('lead', { customer_key: customerKey }, funnel.apiToken);
				this.#customers.push(customerKey);
				return;
			}
			case 'take a click':
				await track(
					'lead',
					{ customer_key: at(this.#customers, taken.customer), click_id: await this.#namedClick(taken) },
					funnel.apiToken,
				);
				return;
			case 'late clicks':
				await this.#store(this.#late.splice(0));
				return;
			case 'sale': {
				const transactionId = unique('txn');
				const known = at(this.#customers, taken.customer);
				const buyer =
					known === undefined || taken.customer % 5 === 0 ? { click_id: await this.#namedClick(taken) } : { customer_key: known };
				const { status } = await track(
					'sale',
					{ ...buyer, transaction_id: transactionId, amount_cents: taken.amount, currency: taken.currency, product_id: taken.product },
					funnel.apiToken,
				);
				if (status === 200) this.#transactions.push(transactionId);
				return;
			}
			case 'refund': {
				const refund = { refund_amount_cents: taken.amount, ...(taken.hasId ? { refund_id: unique('refund') } : {}) };
				await track('refund', { transaction_id: at(this.#transactions, taken.sale), ...refund }, funnel.apiToken);
				return;
			}
			case 'reinstate':
				await this.#reinstate(at(this.#transactions, taken.sale) ?? null);
				return;
			case 'one payment': {
				const paymentIds = [at(this.#transactions, taken.sale), at(this.#transactions, taken.other)].filter((id) => id !== undefined);
				await linkPayment(context(), funnel.id, false, { paymentIds, invoiceId: undefined });
				return;
			}
			case 'reject': {
				const [commission] = await rows<{ id: number }>(
					'SELECT c.id FROM commissions c JOIN affiliate_sale_events s ON s.id = c.sale_id WHERE s.processor_event_id = ?',
					at(this.#transactions, taken.sale) ?? null,
				);
				if (!commission) return;
				await api(`/api/v1/programs/${funnel.id}/commissions/reject`, {
					token: funnel.owner.token,
					body: { commission_ids: [commission.id], reason: 'No' },
				});
				return;
			}
			case 'partner':
				this.partners.push(await aPartner(funnel.owner, funnel.id));
				return;
			case 'end membership': {
				const partner = at(this.partners, taken.partner) ?? funnel;
				await api(`/api/v1/programs/${funnel.id}/partners/${partner.partnerId}`, { method: 'DELETE', token: funnel.owner.token });
				return;
			}
			case 'tests': {
				const additional_data = { test_mode: true };
				await track('click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}`, additional_data });
				await track('lead', { customer_key: unique('test'), additional_data }, funnel.apiToken);
				await track('sale', { additional_data }, funnel.apiToken);
				return;
			}
			case 'delete tests':
				await rows('DELETE FROM affiliate_sale_events WHERE program_id = ? AND is_test = 1', funnel.id);
				await rows('DELETE FROM affiliate_click_events WHERE program_id = ? AND is_test = 1', funnel.id);
				return;
			case 'delete click':
				await rows('DELETE FROM affiliate_click_events WHERE id = ?', await this.#clickIdOf(taken.click));
				return;
			case 'turn out a bot':
				await rows('UPDATE affiliate_click_events SET is_bot = 1 WHERE id = ?', await this.#clickIdOf(taken.click));
				return;
			case 'move signup':
				await rows(
					'UPDATE customers SET signup_date = ?, revision = revision + 1 WHERE program_id = ? AND customer_key = ?',
					dayOf(taken.at, this.#timeZone),
					funnel.id,
					at(this.#customers, taken.customer) ?? null,
				);
				return;
			case 'erase lead':
				await this.#eraseLead(at(this.#customers, taken.customer) ?? null);
		}
	}

	async #click({ partner, ...page }: Visitor, fields: Partial<ClickJob> = {}): Promise<ClickJob> {
		return aClickJob({ ...this.funnel, ...at(this.partners, partner) }, Date.now(), { ...page, ...fields });
	}

	/** The click that a lead or sale names, whose row is there, or is to come, or never comes. */
	async #namedClick(named: { readonly visitor: Visitor; readonly lands: string }): Promise<string> {
		const job = await this.#click(named.visitor);
		if (named.lands === 'before') await this.#store([job]);
		if (named.lands === 'later') this.#late.push(job);
		return job.clickId;
	}

	async #store(jobs: readonly ClickJob[]): Promise<void> {
		await deliverClicks(jobs);
		for (const job of jobs) this.landed.set(job.clickId, job);
	}

	/** As where a refund failed at the processor: nothing is given back to the balance, which is not what this is about. */
	async #reinstate(transactionId: string | null): Promise<void> {
		const [sale] = await rows<{ id: number; commission: number | null; deducted: number | null }>(
			`SELECT s.id, c.id AS commission, c.deducted_cents AS deducted
			FROM affiliate_sale_events s LEFT JOIN commissions c ON c.sale_id = s.id AND c.status IN ('refunded', 'reversed')
			WHERE s.processor_event_id = ? AND s.is_test = 0 AND s.refunded_cents > 0 AND s.duplicate_of_sale_id IS NULL`,
			transactionId,
		);
		if (!sale) return;
		await rows('UPDATE affiliate_sale_events SET refunded_cents = 0, revision = revision + 1 WHERE id = ?', sale.id);
		if (sale.commission === null) return;
		await rows(
			`UPDATE commissions SET deducted_cents = 0, status = status_before_refund, status_before_refund = NULL, revision = revision + 1 WHERE id = ?`,
			sale.commission,
		);
		await rows(
			`INSERT INTO ledger_entries (partner_program_id, currency, kind, commission_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
			SELECT c.partner_program_id, c.currency, 'reinstatement', c.id, ?2, 0, b.balance_cents, ?3, 1
			FROM commissions c JOIN partner_program_balances b ON b.partner_program_id = c.partner_program_id AND b.currency = c.currency WHERE c.id = ?1`,
			sale.commission,
			sale.deducted,
			unique('reinstatement'),
		);
	}

	async #clickIdOf(click: number): Promise<number | null> {
		const clicks = await rows<{ id: number }>(
			'SELECT id FROM affiliate_click_events WHERE program_id = ? AND is_test = 0 ORDER BY id',
			this.funnel.id,
		);
		return at(clicks, click)?.id ?? null;
	}

	async #eraseLead(customerKey: string | null): Promise<void> {
		const own = `(SELECT id FROM customers WHERE program_id = ? AND customer_key = ? AND status = 'lead')`;
		await rows(`DELETE FROM affiliate_lead_events WHERE customer_id IN ${own}`, this.funnel.id, customerKey);
		await rows(`DELETE FROM customers WHERE id IN ${own}`, this.funnel.id, customerKey);
	}
}

function at<Value>(values: readonly Value[], index: number): Value | undefined {
	return values[index % Math.max(values.length, 1)];
}
