import { expect, test } from 'vitest';
import { complaintAbout, readTable, rowOf } from '../../scripts/lint/folders.ts';

const table = readTable([
	'src/domain:',
	'src/db: drizzle-orm',
	'src/sales: src/domain src/db drizzle-orm zod/mini',
	'testing: src/ *',
	'test: src/ testing *',
]);

test.each([
	['src/sales/record-sale.ts', '../db/client.ts'],
	['src/sales/deep/record-sale.ts', '../record-sale.ts'],
	['src/sales/record-sale.ts', 'drizzle-orm/sqlite-core'],
	['src/db/client.ts', '../../node_modules/drizzle-orm/d1/index.js'],
	['testing/random.ts', '../src/sales/record-sale.ts'],
	['test/sales/record-sale.test.ts', '../../src/sales/record-sale.ts?raw'],
	['test/sales/record-sale.test.ts', 'vitest'],
])('%s may import %s', (file, specifier) => {
	expect(complaintAbout(table, file, specifier)).toBeUndefined();
});

test.each([
	['src/domain/money.ts', '../db/client.ts', 'src/domain may not import src/db'],
	['src/domain/money.ts', 'zod/mini', 'src/domain may not import zod/mini'],
	['src/sales/record-sale.ts', 'zod', 'src/sales may not import zod'],
	['src/sales/record-sale.ts', '../sales-reports/read.ts', 'src/sales-reports/read.ts has no row'],
	['testing/random.ts', '../test/support/world.ts', 'testing may not import test'],
	['src/db/client.ts', '../../testing/random.ts', 'src/db may not import testing'],
])('%s may not import %s', (file, specifier, complaint) => {
	expect(complaintAbout(table, file, specifier)).toBe(complaint);
});

test.each(['src/index.ts', 'src/sales-reports/read.ts', 'workbench/main.ts', 'vitest.config.ts'])('%s has no row', (file) => {
	expect(rowOf(table, file)).toBeUndefined();
});

test('a row may only import earlier rows', () => {
	expect(() => readTable(['src/db:', 'src/sales: src/db src/refunds', 'src/refunds: src/sales'])).toThrow('src/sales names src/refunds');
	expect(() => readTable(['testing: test', 'test: testing'])).toThrow('testing names test');
	expect(() => readTable(['testing: test/', 'test/support: testing'])).toThrow('testing names test/support');
});
