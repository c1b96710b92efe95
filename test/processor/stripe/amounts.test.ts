import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inWords, moneyOf, saleAmounts } from '../../../src/processor/stripe/amounts.ts';

describe('a Stripe amount in minor units of ISO 4217', () => {
	test.each<[string, number, number]>([
		['usd', 1999, 1999],
		['eur', 0, 0],
		// No decimals at Stripe or in ISO 4217.
		...'bif clp djf gnf jpy kmf krw pyg rwf vnd vuv xaf xof xpf'.split(' ').map((code): [string, number, number] => [code, 500, 500]),
		// Three decimals at Stripe and in ISO 4217.
		...'bhd jod kwd omr tnd'.split(' ').map((code): [string, number, number] => [code, 5120, 5120]),
		// No decimals only at Stripe.
		['mga', 500, 50_000],
		// Sent with two decimals, which are always 00.
		['isk', 500, 5],
		['ugx', 500, 5],
		// For example, an old ISK price with decimals: rounded half up.
		['isk', 4049, 40],
		['isk', 4050, 41],
		// Two decimals at Stripe; only payouts have none.
		['huf', 1045, 1045],
		['twd', 80_045, 80_045],
		// Three decimals in ISO 4217; Stripe does not support the currency.
		['lyd', 500, 5000],
	])('%s %i is %i', (currency, amount, cents) => {
		expect(moneyOf(amount, currency)).toEqual({ currency: currency.toUpperCase(), cents });
	});

	test.each([
		['an unknown currency', 500, 'xyz'],
		['a currency that no longer exists', 500, 'hrk'],
		['no currency', 500, undefined],
		['no amount', undefined, 'usd'],
		['an amount below 0', -1, 'usd'],
		['an amount above the largest', 100_000_000_000, 'usd'],
		['an amount that exceeds the maximum only after conversion', 1_000_000_000, 'mga'],
	])('cannot be read with %s', (_, amount, currency) => {
		expect(moneyOf(amount, currency)).toBeUndefined();
	});

	test('is read up to the largest', () => {
		expect(moneyOf(99_999_999_999, 'usd')).toEqual({ currency: 'USD', cents: 99_999_999_999 });
		expect(moneyOf(9_999_999_999_900, 'isk')).toEqual({ currency: 'ISK', cents: 99_999_999_999 });
	});

	test('is formatted for people', () => {
		expect(inWords({ currency: 'USD', cents: 1999 })).toBe('19.99 USD');
		expect(inWords({ currency: 'JPY', cents: 500 })).toBe('500 JPY');
		expect(inWords({ currency: 'KWD', cents: 5120 })).toBe('5.12 KWD');
	});
});

describe('the amounts of a sale', () => {
	test.each([
		['net of its tax', 'net', { paid: 11_900, total: 11_900, tax: 1900 }, 10_000],
		['with its tax', 'gross', { paid: 11_900, total: 11_900, tax: 1900 }, 11_900],
		['untaxed', 'net', { paid: 10_000, total: 10_000, tax: 0 }, 10_000],
		['paid in part from a balance: the tax is too', 'net', { paid: 5000, total: 11_900, tax: 1900 }, 4202],
		['paid in part, with tax', 'gross', { paid: 5000, total: 11_900, tax: 1900 }, 5000],
		['half a cent is rounded up', 'net', { paid: 1, total: 2, tax: 1 }, 1],
		['with an earlier debt', 'net', { paid: 23_800, total: 11_900, tax: 1900 }, 20_000],
		['an earlier debt only', 'net', { paid: 500, total: 0, tax: 0 }, 500],
		['an earlier debt, whatever the tax', 'net', { paid: 500, total: 0, tax: 100 }, 500],
		['nothing but tax', 'net', { paid: 500, total: 500, tax: 500 }, 0],
		['more tax than total', 'net', { paid: 500, total: 500, tax: 600 }, 0],
		['a tax below 0', 'net', { paid: 500, total: 500, tax: -100 }, 500],
	] as const)('%s', (_, basis, bill, cents) => {
		expect(saleAmounts(bill, 'eur', basis)).toEqual({ sale: { currency: 'EUR', cents }, chargedCents: bill.paid });
	});

	test('the net never exceeds the gross, and equals it without tax', () => {
		const amount = fc.integer({ min: 0, max: 99_999_999_999 });
		fc.assert(
			fc.property(amount, amount, amount, (paid, total, tax) => {
				const net = saleAmounts({ paid, total, tax }, 'usd', 'net');
				expect(net?.sale.cents).toBeLessThanOrEqual(paid);
				expect(net?.chargedCents).toBe(paid);
				expect(saleAmounts({ paid, total, tax: 0 }, 'usd', 'net')?.sale.cents).toBe(paid);
			}),
		);
	});
});
