import fc from 'fast-check';
import { dayOf, HOUR_MS } from '../../src/domain/calendar.ts';
import { atInstant } from './at-instant.ts';
import { linkIdOf, mintClickId } from './clock.ts';
import { aPartner, type Funnel, rows, track } from './funnel.ts';
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
		}),
	},
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('lead' as const), at: moment }) },
	{
		weight: 6,
		arbitrary: fc.record({
			kind: fc.constant('sale' as const),
			at: moment,
			customer: some,
			amount,
			currency: fc.option(currency, { nil: undefined }),
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
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('reject' as const), sale: some }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('partner' as const), at: moment }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('tests' as const), at: moment }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('delete tests' as const) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('delete click' as const), click: some }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('turn out a bot' as const), click: some }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('move signup' as const), customer: some, at: moment }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('erase lead' as const), customer: some }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

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

	readonly #timeZone: string;

	constructor(funnel: Funnel, timeZone: string) {
		this.funnel = funnel;
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
				const jobs = await Promise.all(Array.from({ length: taken.count }, () => aClickJob(funnel, taken.at, { isBot, isTest })));
				await deliverClicks(taken.twice ? [...jobs, ...jobs] : jobs);
				if (taken.twice) await deliverClicks(jobs);
				return;
			}
			case 'lead': {
				const customerKey = unique('customer');
				const clickId = await mintClickId(await linkIdOf(funnel));
				await track('lead', { customer_key: customerKey, click_id: clickId }, funnel.apiToken);
				this.#customers.push(customerKey);
				return;
			}
			case 'sale': {
				const transactionId = unique('txn');
				const known = at(this.#customers, taken.customer);
				const buyer =
					known === undefined || taken.customer % 5 === 0
						? { click_id: await mintClickId(await linkIdOf(funnel)) }
						: { customer_key: known };
				const { status } = await track(
					'sale',
					{ ...buyer, transaction_id: transactionId, amount_cents: taken.amount, currency: taken.currency },
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
				await aPartner(funnel.owner, funnel.id);
				return;
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
