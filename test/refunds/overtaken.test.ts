import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { aroundTrips, isWrite } from '../../testing/d1/each-trip.ts';
import { callWith } from '../support/bindings.ts';
import { aFunnel, aSale, rows } from '../support/funnel.ts';

// Conflicts with other calls that keep changing the same rows are not reported as a fault of the service.

afterEach(() => vi.unstubAllGlobals());

test('a refund that loses every race gets 503 with Retry-After, and nothing is recorded', async () => {
	const funnel = await aFunnel();
	const { transactionId, saleId } = await aSale(funnel);
	vi.stubGlobal('setTimeout', (goOn: () => void) => queueMicrotask(goOn));
	const DB = aroundTrips(env.DB, (go, { statements }) => {
		if (statements.some(({ query }) => isWrite(query))) throw new Error('D1_ERROR: stale revision: affiliate_sale_events');
		return go();
	});
	const { status, headers, body } = await callWith({ DB }, '/api/v1/track/refund', {
		body: { transaction_id: transactionId },
		token: funnel.apiToken,
	});
	expect([status, headers.get('Retry-After'), body]).toEqual([
		503,
		'5',
		{ error: 'Too many calls changed the same data at once, and this one was not recorded. Wait 5 seconds and try again.' },
	]);
	expect(await rows('SELECT id FROM refund_events WHERE sale_id = ?', saleId)).toEqual([]);
});
