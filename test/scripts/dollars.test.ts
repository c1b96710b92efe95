import { expect, test } from 'vitest';
import { billOf, type Usage } from '../../bench/dollars.ts';
import { PRICES } from '../../bench/prices.ts';

const nothing: Usage = { requests: 0, cpuMs: 0, queueOperations: 0, rowsRead: 0, rowsWritten: 0, logEvents: 0 };

test.each<[part: keyof Usage, perOperation: number, dollars: number]>([
	['requests', 1, 0.3],
	['cpuMs', 5, 0.1],
	['queueOperations', 3, 1.2],
	['rowsRead', 90, 0.09],
	['rowsWritten', 24, 24],
	['logEvents', 1.02, 0.612],
])('a million operations with %s of %d each cost $%d for that', (part, perOperation, dollars) => {
	const bill = billOf({ ...nothing, [part]: perOperation });
	expect(bill[part]).toBeCloseTo(dollars, 9);
	expect(bill.total).toBe(bill[part]);
});

test('the total is the sum of all parts, and none is free', () => {
	const bill = billOf({ requests: 1, cpuMs: 1, queueOperations: 1, rowsRead: 1, rowsWritten: 1, logEvents: 1 });
	expect(bill.total).toBeCloseTo(0.3 + 0.02 + 0.4 + 0.001 + 1 + 0.6, 9);
	expect(Object.values(PRICES).every((price) => price > 0)).toBe(true);
});
