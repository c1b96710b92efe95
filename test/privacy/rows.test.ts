import { beforeAll, expect, test } from 'vitest';
import { manyPartners, manySales, readingRows } from '../support/beside-many.ts';
import { aFunnel, aLead, type Funnel } from '../support/funnel.ts';

// Exporting or erasing one person reads the same number of rows for any number of other people.

const OTHERS = 6_000;

let funnel: Funnel;
let customerKey: string;

beforeAll(async () => {
	funnel = await aFunnel();
	await manySales(funnel, await manyPartners(funnel, 500), OTHERS);
	customerKey = await aLead(funnel);
});

const path = (verb: string) => `/api/v1/programs/${funnel.id}/${verb}`;

test('an archive page reads only its own partners', async () => {
	const { rowsRead } = await readingRows(funnel, path('archive?limit=50'));
	expect(rowsRead).toBeLessThan(300);
});

test('an export finds clicks by their ids', async () => {
	const { rowsRead } = await readingRows(funnel, path('customers/export'), { customer_key: customerKey });
	expect(rowsRead).toBeLessThan(OTHERS / 4);
});

test('an erase finds clicks by their ids, and searches only rows newer than the person', async () => {
	const { rowsRead } = await readingRows(funnel, path('customers/erase'), { customer_key: customerKey });
	expect(rowsRead).toBeLessThan(OTHERS);
});
