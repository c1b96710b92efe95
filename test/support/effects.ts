import type { OutboxKey } from '../../src/outbox/outbox.ts';
import { bearer, trackWith } from './bindings.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { deliver } from './deliver.ts';
import { aLead, type Funnel, rows } from './funnel.ts';
import { readReport } from './report.ts';
import { unique } from './world.ts';

// The test delivers effects whenever and as often as it likes.

export interface Held {
	readonly transactionId: string;
	readonly body: Record<string, unknown>;
	readonly messages: readonly unknown[];
}

export async function aHeldSale(funnel: Funnel, overrides: Record<string, unknown> = {}): Promise<Held> {
	const sale = { transaction_id: unique('txn'), amount_cents: 10_000, customer_key: await aLead(funnel), ...overrides };
	return hold(funnel, 'sale', sale);
}

export function aHeldRefund(funnel: Funnel, transactionId: string, overrides: Record<string, unknown> = {}): Promise<Held> {
	return hold(funnel, 'refund', { transaction_id: transactionId, ...overrides });
}

/** Delivers the messages of these calls in one batch. */
export async function applyHeld(...calls: readonly Held[]): Promise<void> {
	const { retried } = await deliver(
		'affiliate-effects',
		calls.flatMap(({ messages }) => messages.map((body) => ({ body }))),
	);
	if (retried.length > 0) throw new Error('An effect was not applied');
}

async function hold(funnel: Funnel, route: string, request: { transaction_id: string }): Promise<Held> {
	const EFFECTS = holdingQueue();
	const { status, body } = await trackWith({ EFFECTS }, route, request, bearer(funnel.apiToken));
	if (status !== 200) throw new Error(`The ${route} answered ${status}: ${JSON.stringify(body)}`);
	return { transactionId: request.transaction_id, body, messages: EFFECTS.held };
}

interface WaitingRow {
	readonly id: string;
	readonly kind: string;
	readonly failures: number;
}

/** Rows whose effects are not applied yet, by kind. */
export function waitingOf({ id }: { readonly id: number }): Promise<WaitingRow[]> {
	return rows('SELECT id, kind, failures FROM outbox WHERE program_id = ? ORDER BY kind, created_at, id', id);
}

export async function kindsWaiting(program: { readonly id: number }): Promise<string[]> {
	return (await waitingOf(program)).map(({ kind }) => kind);
}

/** The rows' keys, as in a message. */
export async function keysOf(program: { readonly id: number }, kind?: string): Promise<OutboxKey[]> {
	const waiting = await waitingOf(program);
	return waiting.filter((row) => kind === undefined || row.kind === kind).map(({ id }) => [program.id, id]);
}

/** Applies the program's waiting rows in one batch: all, or those that `chooses` selects. */
export async function applyWaiting({ id }: Pick<Funnel, 'id'>, chooses: (index: number) => boolean = () => true): Promise<void> {
	const waiting = await rows<{ id: string }>('SELECT id FROM outbox WHERE program_id = ? ORDER BY created_at, id', id);
	const chosen = waiting.filter((_, index) => chooses(index)).map((row) => [id, row.id]);
	if (chosen.length === 0) return;
	const { retried } = await deliver('affiliate-effects', [{ body: { version: 2, kind: 'effects', rows: chosen } }]);
	if (retried.length > 0) throw new Error('Moves were not applied');
}

export async function countWaiting(program: { readonly id: number }): Promise<number> {
	return (await waitingOf(program)).length;
}

/** 100.00, without an effects message, so its effects wait for the tick. */
export async function aWaitingSale(funnel: Funnel, sale: Record<string, unknown>): Promise<string> {
	const request = { transaction_id: unique('txn'), amount_cents: 10_000, ...sale };
	return (await hold(funnel, 'sale', request)).transactionId;
}

/** The sum of the program's daily rows, without waiting deltas: `currency sales revenue refunded commission deducted`. */
export async function countedOf({ id }: { readonly id: number }): Promise<string[]> {
	const found = await rows<Record<string, string | number>>(
		`SELECT currency, sum(sales), sum(revenue_cents), sum(refunded_cents), sum(commission_cents), sum(deducted_cents)
		FROM daily_performance WHERE program_id = ? GROUP BY currency
		HAVING sum(abs(sales) + abs(revenue_cents) + abs(refunded_cents) + abs(commission_cents) + abs(deducted_cents)) > 0 ORDER BY currency`,
		id,
	);
	return found.map((row) => Object.values(row).join(' '));
}

/** The same from the report, which includes waiting deltas. The program must be in USD. */
export async function reportedOf(program: Pick<Funnel, 'id' | 'owner'>): Promise<string[]> {
	const { currencies, ...total } = (await readReport(program)).metrics;
	const others = Object.entries(currencies);
	const totalSales = others.reduce((left, [, { totalSales: sales }]) => left - sales, total.totalSales);
	const own = ['USD', { ...total, totalSales }] as const;
	return [own, ...others]
		.map(([currency, { totalSales: sales, totalRevenue, netRevenue, totalPartnersCommission, netCommission }]) => {
			const [refunded, deducted] = [cents(totalRevenue) - cents(netRevenue), cents(totalPartnersCommission) - cents(netCommission)];
			return [currency, sales, cents(totalRevenue), refunded, cents(totalPartnersCommission), deducted].join(' ');
		})
		.filter((line) => !line.endsWith(' 0 0 0 0 0'))
		.toSorted();
}

function cents(amount: number): number {
	return Math.round(amount * 100);
}
