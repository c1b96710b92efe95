import { beforeAll, expect, test } from 'vitest';
import { manyPartners, manySales, readingRows } from '../support/beside-many.ts';
import { aFunnel, aLead, type Funnel } from '../support/funnel.ts';

// What exporting and erasing one person reads does not grow with how many others a program has.

const OTHERS = 6_000;

let funnel: Funnel;
let customerKey: string;

beforeAll(async () => {
	funnel = await aFunnel();
	await manySales(funnel, await manyPartners(funnel, 500), OTHERS);
	customerKey = await aLead(funnel);
});

const path = (verb: string) => `/api/v1/programs/${funnel.id}/${verb}`;

test('an archive reads the partners of a page, not all of them for each page', async () => {
	const { rowsRead } = await readingRows(funnel, path('archive?limit=50'));
	expect(rowsRead).toBeLessThan(300);
});

test('an export finds clicks by their ids', async () => {
	const { rowsRead } = await readingRows(funnel, path('customers/export'), { customer_key: customerKey });
	expect(rowsRead).toBeLessThan(OTHERS / 4);
});

test('an erasure finds clicks by their ids, and looks only at what came since the person', async () => {
	const { rowsRead } = await readingRows(funnel, path('customers/erase'), { customer_key: customerKey });
	expect(rowsRead).toBeLessThan(OTHERS);
});
