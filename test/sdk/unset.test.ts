import { afterEach, describe, expect, test, vi } from 'vitest';
import { Tracker } from '../../src/sdk/index.ts';
import { answer, KEY, scriptedFetch } from '../support/scripted-service.ts';

describe('a missing option', () => {
	const baseUrl = 'https://track.example';
	const before = { ...process.env };
	afterEach(() => {
		process.env = { ...before };
	});

	test.each([undefined, '', '  ', 'undefined', 'null'])('apiKey as %j: the error names the option and the variable to set', (apiKey) => {
		expect(() => new Tracker({ baseUrl, apiKey })).toThrow(
			new TypeError('apiKey is not set: pass the program key (prg_...) as the option apiKey, or in the environment variable TRACKER_KEY'),
		);
	});

	test.each([undefined, '', 'undefined'])('baseUrl as %j: the error does too', (address) => {
		expect(() => new Tracker({ baseUrl: address, apiKey: KEY })).toThrow(/^baseUrl is not set: .* the environment variable TRACKER_URL$/);
	});

	test('is read from the environment', async () => {
		Object.assign(process.env, { TRACKER_URL: 'https://environment.example/', TRACKER_KEY: 'prg_of_the_environment' });
		const sale = { transaction_id: 'order-1', amount_cents: 100, customer_key: 'user-1' };
		const { fetch, sent } = scriptedFetch(answer(200, { success: true, sale_id: 7, commission_id: 8, message: 'Sale recorded.' }));
		await new Tracker({ fetch }).sale(sale);
		await new Tracker({ fetch, apiKey: KEY }).sale(sale);
		expect(sent.map(({ url, headers }) => [url, headers['authorization']])).toEqual([
			['https://environment.example/api/v1/track/sale', 'Bearer prg_of_the_environment'],
			['https://environment.example/api/v1/track/sale', `Bearer ${KEY}`],
		]);
	});

	test('is reported even without an environment', () => {
		vi.stubGlobal('process', undefined);
		try {
			expect(() => new Tracker({ baseUrl })).toThrow('apiKey is not set');
		} finally {
			vi.unstubAllGlobals();
		}
	});
});
