import { parseArgs } from 'node:util';
import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../src/domain/calendar.ts';
import { openD1, openSqlite, Statements } from '../testing/d1/look-alike.ts';
import { runScript } from '../testing/failure.ts';
import { nodeBindings } from '../testing/service/node-bindings.ts';
import { openService, type Service } from '../testing/service/service.ts';
import { stripeStory } from '../testing/stripe/story.ts';
import { FULL_BYTES } from './prices.ts';
import { Shop } from './shop.ts';
import { head } from './table.ts';

// How much the service stores: `npm run storage`. Events arrive through its routes, their messages are delivered and the crons run. Then
// SQLite's dbstat counts the pages of each table and index.

const USAGE = `npm run storage -- [options]
  --tables  the size of each table and index`;
/** High enough that one-time rows do not matter. */
const COUNTS = { clicks: 12_000, leads: 4_000, refunds: 2_000, stripe: 1_000 };
const MESSAGES_PER_BATCH = 100;
const PAYLOAD_DAYS = 30;
/** The shortest retention for the default window. */
const RETENTION_DAYS = 67;
const SHARE_OF_CUSTOMERS = 0.03;
const LIMIT_BYTES_LEFT = 35;
const NOW = Date.now();
type Pages = ReadonlyMap<string, number>;

await runScript(async () => {
	const { values } = parseArgs({ options: { help: { type: 'boolean', default: false }, tables: { type: 'boolean', default: false } } });
	if (values.help) {
		console.log(USAGE);
		return 0;
	}
	// The service's logs would be mixed into the table.
	console.info = () => {};
	const sqlite = openSqlite();
	const bindings = nodeBindings(openD1(new Statements(sqlite)));
	const service = openService(
		{ ...bindings, PROCESSOR_PAYLOAD_DAYS: String(PAYLOAD_DAYS) },
		{ isHolding: true, messagesPerBatch: MESSAGES_PER_BATCH },
	);
	const shop = await Shop.open(service);
	console.log(
		head([
			['stored', 34],
			['bytes', 7],
			['fill 10 GB', 13],
		]),
	);
	for (const { name, times, happen } of stepsOf(shop)) {
		const before = pagesOf(sqlite);
		for (let index = 0; index < times; index += 1) await happen(index);
		await settle(service);
		printGrowth(name, times, growth(before, pagesOf(sqlite)), values.tables);
	}
	await passDays(service, PAYLOAD_DAYS + 1);
	const left = [...pagesOf(sqlite)].reduce((sum, [name, bytes]) => (name.startsWith('processor_events') ? sum + bytes : sum), 0);
	console.log(line('Stripe event, payload deleted', left / (2 * COUNTS.stripe)));
	return (await measureRetirement()) ? 0 : 1;
});

/** What retired clicks leave in the database, and how large their files are. Returns whether the database keeps as little as it should. */
async function measureRetirement(): Promise<boolean> {
	const sqlite = openSqlite();
	const service = openService(nodeBindings(openD1(new Statements(sqlite))), { isHolding: true, messagesPerBatch: MESSAGES_PER_BATCH });
	const shop = await Shop.open(service);
	const before = pagesOf(sqlite);
	const clickIds: string[] = [];
	for (let index = 0; index < COUNTS.clicks; index += 1) clickIds.push(await shop.click(index));
	await settle(service);
	const ofClicks = () => growth(before, pagesOf(sqlite)).reduce((sum, [name, bytes]) => (/click/.test(name) ? sum + bytes : sum), 0);
	const stored = ofClicks();
	const step = Math.round(1 / SHARE_OF_CUSTOMERS);
	for (let index = 0; index < COUNTS.clicks; index += step)
		await shop.track('lead', { click_id: clickIds[index], customer_key: `user-${index}` });
	await settle(service);
	sqlite.exec(`UPDATE programs SET click_retention_days = ${RETENTION_DAYS}, retire_clicks_at = 0`);
	await passDays(service, RETENTION_DAYS + 1);
	const [file] = sqlite.prepare('SELECT sum(clicks) AS clicks, sum(bytes) AS bytes FROM retired_click_days').all();
	const left = ofClicks() / COUNTS.clicks;
	console.log(line('click, of a program that keeps all', stored / COUNTS.clicks));
	console.log(line('click, retired (3 % by customers)', left));
	console.log(
		`in R2 ${(Number(file?.['bytes']) / Number(file?.['clicks'])).toFixed(1)} bytes for each of ${String(file?.['clicks'])} clicks`,
	);
	if (left > LIMIT_BYTES_LEFT) console.error(`A retired click leaves more than ${LIMIT_BYTES_LEFT} bytes`);
	return left <= LIMIT_BYTES_LEFT;
}

interface Step {
	readonly name: string;
	readonly times: number;
	readonly happen: (index: number) => Promise<unknown>;
}

/** Each step uses what an earlier one created. */
function stepsOf(shop: Shop): readonly Step[] {
	const clickIds: string[] = [];
	const story = () => stripeStory({ clientReferenceId: taken(clickIds), at: NOW });
	const stories: ReturnType<typeof stripeStory>[] = [];
	return [
		{ name: 'click', times: COUNTS.clicks, happen: async (index) => clickIds.push(await shop.click(index)) },
		{
			name: 'lead',
			times: COUNTS.leads,
			happen: (index) => shop.track('lead', { click_id: taken(clickIds), customer_key: `user-${100_000 + index}` }),
		},
		{
			name: 'first sale of a customer',
			times: COUNTS.leads,
			happen: (index) =>
				shop.track('sale', { transaction_id: `order-${100_000 + index}`, amount_cents: 9_900, customer_key: `user-${100_000 + index}` }),
		},
		{
			name: 'renewal',
			times: COUNTS.leads,
			happen: (index) =>
				shop.track('sale', { transaction_id: `order-${200_000 + index}`, amount_cents: 9_900, customer_key: `user-${100_000 + index}` }),
		},
		{
			name: 'refund',
			times: COUNTS.refunds,
			happen: (index) => shop.track('refund', { transaction_id: `order-${100_000 + index}`, refund_reason: 'Sent back' }),
		},
		{
			name: 'Stripe sale (checkout event)',
			times: COUNTS.stripe,
			happen: async () => shop.stripe(kept(stories, story()).checkout.completed()),
		},
		{ name: 'another Stripe event', times: COUNTS.stripe, happen: () => shop.stripe(taken(stories).first.paymentIntentSucceeded()) },
	];
}

function taken<Made>(made: Made[]): Made {
	const next = made.shift();
	if (next === undefined) throw new Error('Not enough were created');
	return next;
}

function kept<Made>(made: Made[], one: Made): Made {
	made.push(one);
	return one;
}

async function settle(service: Service): Promise<void> {
	for (let round = 0; round < 3; round += 1) {
		await service.deliverHeld();
		for (let ticks = 0; ticks < 10; ticks += 1) await service.tick();
	}
}

/** The crons delete payloads of old events, a few on each run. */
async function passDays(service: Service, days: number): Promise<void> {
	const { now } = Date;
	Date.now = () => now() + days * DAY_MS;
	await settle(service);
	Date.now = now;
}

function line(name: string, bytes: number): string {
	const fill = `${(FULL_BYTES / bytes / 1_000_000).toFixed(1)} million`;
	return `${name.padEnd(34)} ${bytes.toFixed(0).padStart(7)} ${fill.padStart(13)}`;
}

function pagesOf(sqlite: DatabaseSync): Pages {
	const rows = sqlite.prepare('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name').all();
	return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
}

function growth(before: Pages, after: Pages): readonly (readonly [name: string, bytes: number])[] {
	const grown = [...after].map(([name, bytes]) => [name, bytes - (before.get(name) ?? 0)] as const);
	return grown.filter(([, bytes]) => bytes > 0).toSorted(([, a], [, b]) => b - a);
}

function printGrowth(name: string, times: number, grown: readonly (readonly [string, number])[], withTables: boolean): void {
	const bytes = grown.reduce((sum, [, of]) => sum + of, 0) / times;
	console.log(line(name, bytes));
	if (!withTables) return;
	for (const [table, of] of grown) if (of / times >= 1) console.log(`  ${table.padEnd(44)} ${(of / times).toFixed(0).padStart(5)}`);
}
