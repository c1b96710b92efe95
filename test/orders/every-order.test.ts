import { describe, expect, inject, test } from 'vitest';
import { Random } from '../../testing/random.ts';
import { booksOf, unsoundnessOf } from './books.ts';
import { Sandbox } from './sandbox.ts';
import { type OrderedStory, TIMELINES, timelineOf } from './stories.ts';
import { allAtOnce, doubled, type Happening, oneByOne, piledUp, type Way, withFaults, withoutMessages } from './ways.ts';

// Stripe's events about one payment leave the same books in every order and way of delivery. Stories with more than ORDERS orders are
// sampled: ORDERS=720 tries every order of up to six events, and THOROUGH=1 tries more than a push does.

const FEW_ORDERS = inject('thorough') ? 6 : 2;
const MOST_ORDERS = Number(process.env['ORDERS'] ?? FEW_ORDERS);
const HEADLINE_ORDERS = inject('thorough') ? 120 : 10;
const ORDERS_PER_WAY = inject('thorough') ? 2 : 1;
const WAYS: readonly Way[] = [doubled, piledUp, withoutMessages, allAtOnce, withFaults];

const sandbox = await Sandbox.open();
const told = Object.entries(TIMELINES).flatMap(([name, story]) => (['new', 'old'] as const).map((shape) => ({ name, story, shape })));

describe.each(told.map((each, index) => ({ ...each, index })))('$name, as the $shape API reports it', ({ story, shape, index }) => {
	const random = new Random(inject('seed') + index);
	const events = timelineOf(story, shape, sandbox.now);
	const before = story.before?.(events) ?? [];
	const isHeadline = story.isTriedInFull === true && shape === 'new';
	const orders = ordersOf(story.tell(events), isHeadline ? Math.max(MOST_ORDERS, HEADLINE_ORDERS) : MOST_ORDERS, random);

	test(`in ${orders.length} orders`, async () => {
		for (const order of orders) await expectBooks(story, before, order, oneByOne, random);
	});

	const ways = MOST_ORDERS > FEW_ORDERS ? WAYS : [0, 1].map((turn) => WAYS[(2 * index + turn) % WAYS.length] ?? doubled);
	test.each(ways.map((way) => [way.name, way] as const))('%s', async (name, way) => {
		const some = orders.filter((_, place) => place % WAYS.length === WAYS.findIndex((other) => other.name === name));
		for (const order of MOST_ORDERS > FEW_ORDERS ? some : orders.slice(0, ORDERS_PER_WAY))
			await expectBooks(story, before, order, way, random);
	});
});

async function expectBooks(
	{ books, events = ['applied'] }: OrderedStory,
	before: readonly Happening[],
	order: readonly Happening[],
	way: Way,
	random: Random,
): Promise<void> {
	await sandbox.undone(async () => {
		await oneByOne(sandbox, before, random);
		await way(sandbox, order, random);
		const found = { ...booksOf(sandbox), unsound: unsoundnessOf(sandbox) };
		const names = order.map((happening) => (typeof happening === 'function' ? happening.name : happening.type));
		expect(found, `${way.name}: ${names.join(', ')}`).toEqual({ ...books, events, letters: 0, unsound: '' });
	});
}

/** All orders if there are no more than `most`, otherwise random ones. */
function ordersOf<Item>(items: readonly Item[], most: number, random: Random): (readonly Item[])[] {
	const all = items.reduce((product, _, index) => product * (index + 1), 1);
	return all <= most ? permutationsOf(items) : Array.from({ length: most }, () => random.shuffled(items));
}

function permutationsOf<Item>(items: readonly Item[]): (readonly Item[])[] {
	if (items.length < 2) return [items];
	return items.flatMap((item, index) => permutationsOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
