import { beforeAll, describe, expect, test } from 'vitest';
import { atInstant } from '../support/at-instant.ts';
import { aFunnel, type Funnel, keepSignedIn } from '../support/funnel.ts';
import { readReport } from '../support/report.ts';

// Ways to specify the range of a report (decisions 35 and 39). `meta` contains the range that was used.

const NOW = Date.parse('2027-01-03T12:00:00Z');

let funnel: Funnel;
beforeAll(async () => {
	await keepSignedIn();
	funnel = await atInstant(NOW, () => aFunnel({ time_zone: 'America/New_York' }));
});

const FOUR_DAYS = ['2026-12-30', '2027-01-02'];
const WEEK = ['2026-12-28', '2027-01-03'];
const MONTH = ['2026-12-05', '2027-01-03'];

async function expectRange(query: string, [first, last]: readonly string[]): Promise<void> {
	const { data, meta } = await atInstant(NOW, () => readReport(funnel, query));
	expect([data.at(0)?.date, data.at(-1)?.date]).toEqual([first, last]);
	expect(meta.dateFrom).toBe(`${first}T05:00:00.000Z`);
	expect(Date.parse(meta.dateTo) + 1 - Date.parse(`${last}T05:00:00.000Z`)).toBe(24 * 60 * 60 * 1000);
}

describe('an empty parameter counts as missing', () => {
	test.each([
		['?period=', WEEK],
		['?dateFrom=&dateTo=&from=&to=&by=', WEEK],
		['?period=30d&dateFrom=2026-12-30&dateTo=', MONTH],
		['?dateFrom=&from=2026-12-30&dateTo=2027-01-02', FOUR_DAYS],
	])('%s', (query, range) => expectRange(query, range));
});

describe("a time selects its whole day, in the program's zone", () => {
	test.each([
		['?dateFrom=2026-12-30T23:59&dateTo=2027-01-02T00:00:00', FOUR_DAYS],
		['?dateFrom=2026-12-31T04:59:59Z&dateTo=2027-01-03T04:59:59Z', FOUR_DAYS],
		['?dateFrom=2026-12-31T05:59:59+01:00&dateTo=2027-01-02T23:00:00.000', FOUR_DAYS],
	])('%s', (query, range) => expectRange(query, range));
});

describe('from and to are aliases of dateFrom and dateTo, which take precedence', () => {
	test.each([
		['?from=2026-12-30&to=2027-01-02', FOUR_DAYS],
		['?from=2026-12-30&dateTo=2027-01-02', FOUR_DAYS],
		['?dateFrom=2026-12-30&to=2027-01-02', FOUR_DAYS],
		['?dateFrom=2026-12-30&dateTo=2027-01-02&from=x&to=2027-01-03', FOUR_DAYS],
		['?from=2026-12-30', WEEK],
	])('%s', (query, range) => expectRange(query, range));
});

test('an unknown parameter is ignored', () => expectRange('?dateform=2026-12-30&dateto=2027-01-02&_=1', WEEK));
