import fc from 'fast-check';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { addDays, DAY_MS, dayOf, HOUR_MS } from '../../src/domain/calendar.ts';
import { rollUpDay } from '../../src/reporting/roll-up-day.ts';
import { atInstant } from '../support/at-instant.ts';
import { contextAt, linkIdOf, mintClickId } from '../support/clock.ts';
import { aFunnel, aPartner, type Funnel, rows, sharedOwner, track } from '../support/funnel.ts';
import { rawReportOf } from '../support/raw-report.ts';
import { aClickJob, deliverClicks, readReport } from '../support/report.ts';
import { api, unique } from '../support/world.ts';

// Decision 25: the answer from the daily rows equals the answer from raw rows, to the cent, always.

const DECIMALS = { USD: 2, EUR: 2, JPY: 0, KWD: 3 };
/** From here, over some weeks in which the clocks change in most of the zones. */
const START = Date.UTC(2026, 9, 18, 20);
const DAYS = 24;

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

const history = fc.record({
	timeZone: fc.constantFrom('UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu', 'Pacific/Auckland', 'Africa/Casablanca'),
	currency,
	steps: fc.array(step, { minLength: 5, maxLength: 30 }),
	asked: fc.record({ from: fc.nat(DAYS), days: fc.nat(12) }),
});

beforeAll(async () => {
	const owner = await sharedOwner();
	await env.DB.prepare('UPDATE sessions SET expires_at = ? WHERE user_id = ?')
		.bind(Date.UTC(2030, 0, 1), owner.userId)
		.run();
});

test('the report from daily rows is the report from raw rows, whatever has happened', { timeout: 120_000 }, async () => {
	await fc.assert(
		fc.asyncProperty(history, async ({ timeZone, currency: code, steps, asked }) => {
			const world = await atInstant(START, async () => new World(await aFunnel({ time_zone: timeZone, currency: code })));
			for (const [index, each] of steps.entries()) {
				await world.take(each);
				if (index % 10 === 9) await expectAgreement(world.funnel, { timeZone, currency: code }, asked);
			}
			await expectAgreement(world.funnel, { timeZone, currency: code }, asked);
			// Nothing has drifted, so there is nothing to repair.
			const program = { id: world.funnel.id, timeZone };
			const repaired: number[] = [];
			for (let day = -1; day <= DAYS + 1; day += 6)
				repaired.push(await rollUpDay(contextAt(START), program, dayOf(START + day * DAY_MS, timeZone)));
			expect(repaired.every((count) => count === 0)).toBe(true);
		}),
		{ numRuns: 25 },
	);
});

async function expectAgreement(
	funnel: Funnel,
	program: { timeZone: string; currency: string },
	asked: { from: number; days: number },
): Promise<void> {
	const raw = await rawReportOf(funnel.id, { ...program, decimals: DECIMALS });
	const first = addDays(dayOf(START, program.timeZone), asked.from);
	const last = addDays(first, asked.days);
	const previous = { first: addDays(first, -asked.days - 1), last: addDays(first, -1) };
	const { data, metrics } = await readReport(funnel, `?dateFrom=${first}&dateTo=${last}`);
	expect(data).toEqual(raw.data({ first, last }));
	expect(metrics).toEqual(raw.metrics({ first, last }, previous));
	const all = await atInstant(START + (DAYS + 1) * DAY_MS, () => readReport(funnel, '?period=all'));
	const range = { first: all.data.at(0)?.date ?? '', last: all.data.at(-1)?.date ?? '' };
	expect([all.data, all.metrics]).toEqual([raw.data(range), raw.metrics(range, { first: '0000', last: '0000' })]);
}

/** A program to which things happen, in any order, as callers and operators make them happen. */
class World {
	readonly funnel: Funnel;
	readonly #customers: string[] = [];
	readonly #transactions: string[] = [];

	constructor(funnel: Funnel) {
		this.funnel = funnel;
	}

	async take(taken: Step): Promise<void> {
		await atInstant('at' in taken ? taken.at : START, () => this.#take(taken));
	}

	async #take(taken: Step): Promise<void> {
		const { funnel } = this;
		switch (taken.kind) {
			case 'clicks': {
				const zone = await this.#zone();
				const { isBot, isTest } = taken;
				const jobs = await Promise.all(
					Array.from({ length: taken.count }, () => aClickJob(funnel, taken.at, dayOf(taken.at, zone), { isBot, isTest })),
				);
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
			default:
				await this.#change(taken);
		}
	}

	/** What no route does (yet). */
	async #change(taken: Step): Promise<void> {
		const { id } = this.funnel;
		const clicks = await rows<{ id: number }>('SELECT id FROM affiliate_click_events WHERE program_id = ? AND is_test = 0 ORDER BY id', id);
		const customer = 'customer' in taken ? (at(this.#customers, taken.customer) ?? null) : null;
		const click = 'click' in taken ? (at(clicks, taken.click)?.id ?? null) : null;
		if (taken.kind === 'delete tests') {
			await rows('DELETE FROM affiliate_sale_events WHERE program_id = ? AND is_test = 1', id);
			await rows('DELETE FROM affiliate_click_events WHERE program_id = ? AND is_test = 1', id);
		} else if (taken.kind === 'delete click') await rows('DELETE FROM affiliate_click_events WHERE id = ?', click);
		else if (taken.kind === 'turn out a bot') await rows('UPDATE affiliate_click_events SET is_bot = 1 WHERE id = ?', click);
		else if (taken.kind === 'move signup') {
			const day = dayOf(taken.at, await this.#zone());
			await rows(
				'UPDATE customers SET signup_date = ?, revision = revision + 1 WHERE program_id = ? AND customer_key = ?',
				day,
				id,
				customer,
			);
		} else if (taken.kind === 'erase lead') {
			const own = `(SELECT id FROM customers WHERE program_id = ? AND customer_key = ? AND status = 'lead')`;
			await rows(`DELETE FROM affiliate_lead_events WHERE customer_id IN ${own}`, id, customer);
			await rows(`DELETE FROM customers WHERE id IN ${own}`, id, customer);
		}
	}

	async #zone(): Promise<string> {
		const [program] = await rows<{ time_zone: string }>('SELECT time_zone FROM programs WHERE id = ?', this.funnel.id);
		return program?.time_zone ?? 'UTC';
	}
}

function at<Value>(values: readonly Value[], index: number): Value | undefined {
	return values[index % Math.max(values.length, 1)];
}
