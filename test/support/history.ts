import fc from 'fast-check';
import { HOUR_MS } from '../../src/domain/calendar.ts';
import type { ClickJob } from '../../src/job.ts';
import { linkPayment } from '../../testing/service/payments.ts';
import { atInstant } from './at-instant.ts';
import { aPartner, type Funnel, rows, track } from './funnel.ts';
import { aReversalFact, context, reportReversal, undone } from './payments.ts';
import { aClickJob, deliverClicks } from './report.ts';
import { applyWaiting } from './effects.ts';
import { api, unique } from './world.ts';

// Random histories of a program: calls and operator actions on days in any order.

/** Decimal places. */
export const DECIMALS = { USD: 2, EUR: 2, JPY: 0, KWD: 3 };
/** The start of a few weeks in which most of the zones change their clocks. */
export const START = Date.UTC(2026, 9, 18, 20);
export const DAYS = 24;

const moment = fc.integer({ min: 0, max: DAYS * 24 * 4 }).map((quarters) => START + (quarters * HOUR_MS) / 4);
const some = fc.nat(50);
/** A visitor's origin and partner, as in the click's row. */
const visitor = fc.record({
	partner: some,
	country: fc.constantFrom(null, 'DE', 'US'),
	referrerUrl: fc.constantFrom(null, 'https://www.google.com/search', 'https://google.com', 'https://t.co/x', 'nonsense'),
});
/** When the click row of a lead or sale is stored. */
const lands = fc.constantFrom('before', 'later', 'never');
const amount = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5_000_000 }));
const currency = fc.constantFrom('USD', 'EUR', 'JPY', 'KWD');
const timeZone = fc.constantFrom('UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu', 'Pacific/Auckland', 'Africa/Casablanca');

const changedSettings = fc.record({
	kind: fc.constant('settings' as const),
	at: moment,
	currency: fc.option(currency, { nil: undefined }),
	timeZone: fc.option(timeZone, { nil: undefined }),
});
/** `chosen` is a repeating pattern. */
const application = fc.record({ kind: fc.constant('apply' as const), chosen: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }) });
const preparation = fc.oneof(changedSettings, application, fc.record({ kind: fc.constant('partner' as const), at: moment }));
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
	{
		weight: 2,
		arbitrary: fc.record({ kind: fc.constant('refund that fails' as const), at: moment, sale: some, amount, isApplied: fc.boolean() }),
	},
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('one payment' as const), sale: some, other: some }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('reject' as const), sale: some }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('end membership' as const), partner: some }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('partner' as const), at: moment }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('tests' as const), at: moment }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('delete tests' as const) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('join again' as const), at: moment, partner: some }) },
	{ weight: 2, arbitrary: changedSettings },
	{ weight: 5, arbitrary: application },
);
type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Step = ValueOf<typeof step>;
type Visitor = ValueOf<typeof visitor>;
type Partner = Pick<Funnel, 'partnerId' | 'partnerProgramId' | 'shortLink'>;

export const history = fc.record({
	timeZone,
	currency,
	/** Settings come first, because most cannot change after the first event. */
	steps: fc.tuple(fc.array(preparation, { maxLength: 4 }), fc.array(step, { minLength: 5, maxLength: 30 })).map((steps) => steps.flat()),
	asked: fc.record({ from: fc.nat(DAYS), days: fc.nat(12) }),
});

/** Events happen in any order, through the service's own calls. */
export class World {
	readonly funnel: Funnel;
	readonly #customers: string[] = [];
	readonly #transactions: string[] = [];
	/** Not stored yet. */
	readonly #late: ClickJob[] = [];
	/** All clicks that were ever stored. */
	readonly landed = new Map<string, ClickJob>();
	/** The original partner of each link. Later changes of a membership do not affect it. */
	readonly partners: Partner[];
	settings: { readonly timeZone: string; readonly currency: string };

	constructor(funnel: Funnel, settings: World['settings']) {
		this.funnel = funnel;
		this.partners = [funnel];
		this.settings = settings;
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
			case 'refund that fails': {
				const transactionId = at(this.#transactions, taken.sale);
				if (transactionId === undefined) return;
				const fact = aReversalFact([transactionId], taken.amount);
				await reportReversal(funnel, fact);
				if (taken.isApplied) await applyWaiting(funnel);
				await reportReversal(funnel, undone(fact));
				return;
			}
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
				await rows('DELETE FROM affiliate_click_events WHERE program_id = ? AND is_test = 1', funnel.id);
				return;
			case 'join again': {
				const [ended] = await rows<{ email: string }>(
					'SELECT email FROM partners WHERE id = ?',
					(at(this.partners, taken.partner) ?? funnel).partnerId,
				);
				await api(`/api/v1/programs/${funnel.id}/partners`, {
					token: funnel.owner.token,
					body: { name: 'Pat Partner', email: ended?.email },
				});
				return;
			}
			case 'settings': {
				const { currency: code, timeZone: time_zone } = taken;
				const body = { name: 'Shop', currency: code, time_zone };
				const { status } = await api(`/api/v1/programs/${funnel.id}`, { method: 'PATCH', token: funnel.owner.token, body });
				if (status !== 200) return;
				this.settings = { timeZone: time_zone ?? this.settings.timeZone, currency: code ?? this.settings.currency };
				return;
			}
			case 'apply':
				await applyWaiting(funnel, (index) => taken.chosen[index % taken.chosen.length] === true);
		}
	}

	async #click({ partner, ...page }: Visitor, fields: Partial<ClickJob> = {}): Promise<ClickJob> {
		return aClickJob({ ...this.funnel, ...at(this.partners, partner) }, Date.now(), { ...page, ...fields });
	}

	/** Its row is stored before, later or never. */
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
}

function at<Value>(values: readonly Value[], index: number): Value | undefined {
	return values[index % Math.max(values.length, 1)];
}
