/** Correct and incorrect uses of every call. It uses no globals except the language's own. */
export const USES = `
import { type ClickIdSource, clickIdFrom, type SaleReceipt, stripeMetadata, Tracker, TrackerError, type TrackedEvent } from 'affiliate-tracker/sdk';

const tracker = new Tracker({ baseUrl: 'https://track.example', apiKey: 'prg_1', sessionToken: undefined });
// From the environment.
export const unset: Tracker[] = [new Tracker(), new Tracker({ apiKey: undefined })];

export async function uses(): Promise<string | undefined> {
	const sale: SaleReceipt = await tracker.sale({ transaction_id: 'a', amount_cents: 1, customer_key: clickIdFrom('a=b') });
	if (sale.recorded && !sale.duplicate && !sale.data) return String(sale.sale_id.toFixed());
	// @ts-expect-error The amount is a number.
	await tracker.sale({ transaction_id: 'a', amount_cents: '1' });
	// @ts-expect-error There is no such field.
	await tracker.sale({ transaction_id: 'a', amount_cents: 1, customerKey: 'a' });
	// @ts-expect-error Only in test mode may the id and the amount be left out.
	await tracker.sale({ customer_key: 'a' });
	await tracker.sale({ additional_data: { test_mode: true } });
	const click = await tracker.click({ affiliate_url: 'https://shop.example/?aff=pat', existing_click_id: clickIdFrom(null) });
	await tracker.lead({ click_id: click.click_id, email: undefined });
	await tracker.lead({ customer_key: 'a', click_id: clickIdFrom({ headers: { cookie: 'a=b' } }) });
	// @ts-expect-error A lead needs a click or a customer.
	await tracker.lead({});
	// @ts-expect-error There may be no click, so the customer_key is needed.
	await tracker.lead({ click_id: clickIdFrom('a=b') });
	// @ts-expect-error There is no such field.
	await tracker.lead({ customer_key: 'a', clickId: 'a' });
	const refund = await tracker.refund({ transaction_id: 'a' });
	// @ts-expect-error Only some refunds have it.
	refund.deductionAmount.toFixed();
	if (refund.status === 'reversed') refund.deductionAmount.toFixed();
	for await (const event of tracker.events({ type: 'refund' })) if (event.type === 'refund') return cents(event).toFixed();
	const { data, metrics } = await tracker.performance(1, { period: '30d' });
	return data[0]?.date ?? metrics.clicksTrend.trendDirection;
}

/** The types of cookies() and headers() in Next.js. */
declare const cookies: { get(...args: [name: string] | [{ name: string; value: string }]): { name: string; value: string } | undefined };
declare const headers: { get(name: string): string | null; forEach(callback: () => void): void };
export const now: (string | undefined)[] = [clickIdFrom(cookies), clickIdFrom(headers)];
export const later: Promise<string | undefined>[] = [clickIdFrom(Promise.resolve(cookies)), clickIdFrom(Promise.resolve(headers))];
export const sources: ClickIdSource[] = [cookies, headers, 'a=b', { headers }];

function cents(event: Extract<TrackedEvent, { type: 'refund' }>): number {
	return event.deduction_cents ?? event.amount_cents;
}

export const keys: string[] = Object.keys(stripeMetadata('subscription', { program_id: 1 }).subscription_data.metadata);
export const kind = (error: unknown) => (error instanceof TrackerError && error.kind === 'timeout' ? error.mayBeRecorded : undefined);
`;

/** Uses of window.tracker in a page. */
export const PAGE = `
import type {} from 'affiliate-tracker/browser';

window.tracker?.('lead', { customer_key: 'user-1' });
window.tracker?.('getClickId', (id) => id?.length);
window.tracker?.('consent', true);
// @ts-expect-error There is no such command.
window.tracker?.('sale');
`;

interface Settings {
	readonly options: Readonly<Record<string, unknown>>;
	/** The `type` in package.json; an ES module project if omitted. */
	readonly type?: 'commonjs';
	/** Compiled with TypeScript 5, the last version that supports this moduleResolution. */
	readonly isOld?: true;
}

/** Compiler settings for different kinds of projects. */
export const PROJECTS = {
	'as tsc --init makes it': { options: { module: 'nodenext', target: 'esnext' } },
	'for a bundler': { options: { module: 'esnext', moduleResolution: 'bundler', target: 'es2022', exactOptionalPropertyTypes: true } },
	'without DOM types': { options: { module: 'nodenext', target: 'es2022', lib: ['es2022'] } },
	'with CommonJS': { options: { module: 'nodenext', target: 'es2022', lib: ['es2022'] }, type: 'commonjs' },
	'with ES modules for node16': { options: { module: 'node16', target: 'es2022', lib: ['es2022'] } },
	'with CommonJS for node16': { options: { module: 'node16', target: 'es2022', lib: ['es2022'] }, type: 'commonjs' },
	'with CommonJS for node10': {
		options: { module: 'commonjs', moduleResolution: 'node10', target: 'es2022' },
		type: 'commonjs',
		isOld: true,
	},
	'for a bundler, with TypeScript 5': { options: { module: 'esnext', moduleResolution: 'bundler', target: 'es2022' }, isOld: true },
} as const satisfies Record<string, Settings>;

export type Project = Settings;
