import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readable } from '../../scripts/demo/event-lines.ts';

const reading = { at: new Date(2026, 0, 2, 3, 4, 5), isQuiet: true, isStarting: false };
const shown = (line: string, also = {}) => {
	const text = readable(line, { ...reading, ...also });
	return text === undefined ? undefined : stripVTControlCharacters(text);
};
const webhook = (fields: object) => JSON.stringify({ level: 'info', event: 'webhook_received', ...fields });
const tracked = (fields: object) => JSON.stringify({ level: 'info', event: 'tracked', ...fields });

describe('an event is one readable line', () => {
	test.each([
		[{ type: 'click', answer: 200 }, 'click   ok       recorded'],
		[
			{ type: 'click', answer: 200, partner_code: 'pat', origin: 'https://a.example' },
			'click   ok       partner pat, page on https://a.example',
		],
		[{ type: 'click', answer: 302, leads_to: 'a.example' }, 'click   ok       redirected to a.example'],
		[
			{ type: 'lead', answer: 200, message: 'Lead recorded', lead_id: 3, attributed: false },
			'lead    ok       Lead recorded, lead 3, not attributed',
		],
		[
			{ type: 'sale', answer: 200, message: 'Sale recorded and commission created.', sale_id: 1, commission_id: 2 },
			'sale    ok       Sale recorded and commission created, sale 1, commission 2',
		],
		[
			{ type: 'refund', answer: 200, status: 'skipped', reason: 'Commission already reversed', commission_id: 2 },
			'refund  ok       skipped: Commission already reversed, commission 2',
		],
		[
			{ type: 'refund', answer: 200, status: 'refunded', deductionAmount: 6.6, test: true },
			'refund  ok       refunded, 6.6 deducted, test',
		],
		[{ type: 'click', answer: 403, error: 'Origin not allowed', origin: 'null' }, 'click   refused  403 Origin not allowed (page on null)'],
		[{ type: 'sale', answer: 409, error: 'Duplicate.', message: 'Do not.' }, 'sale    refused  409 Duplicate. Do not.'],
	])('%j', (fields, line) => {
		expect(shown(tracked(fields))).toBe(`03:04:05  ${line}`);
	});

	test('even if wrangler colors it', () => {
		expect(shown(`\u001B[34m${tracked({ type: 'click', answer: 200 })}\u001B[39m`)).toBe('03:04:05  click   ok       recorded');
	});
});

describe("a payment processor's webhook is one readable line", () => {
	test.each([
		[{ processor: 'stripe', answer: 200, id: 'evt_1', type: 'invoice.paid', new: true }, 'stripe webhook evt_1 invoice.paid: accepted'],
		[
			{ processor: 'stripe', answer: 200, id: 'evt_1', type: 'invoice.paid', new: false, test: true },
			'stripe webhook evt_1 invoice.paid: already accepted, test',
		],
		[
			{ processor: 'custom', answer: 400, error: 'The signature does not match' },
			'custom webhook refused with 400: The signature does not match',
		],
		[{ processor: 'paddle', answer: 500, error: 'Internal error.' }, 'paddle webhook failed with 500: Internal error.'],
		[{ processor: 'custom', answer: 200, id: 'a\u001B[2J\nb', type: 'payment', new: true }, 'custom webhook a b payment: accepted'],
	])('%j', (fields, line) => {
		expect(shown(webhook(fields))).toBe(`03:04:05  ${line}`);
	});

	test('the log line of the same refusal is hidden', () => {
		expect(shown('{"level":"warn","event":"refused","status":429,"method":"POST","route":"/webhooks/stripe/:programId"}')).toBeUndefined();
	});
});

test("calls during start-up and wrangler's own line for each call are hidden", () => {
	expect(shown(tracked({ type: 'refund', answer: 404 }), { isStarting: true })).toBeUndefined();
	expect(shown('\u001B[32m[wrangler:info]\u001B[39m POST /api/v1/track/click 200 OK (9ms)')).toBeUndefined();
	const refused =
		'{"level":"warn","event":"refused","status":403,"code":"origin_not_allowed","method":"POST","route":"/api/v1/track/click"}';
	expect(shown(refused)).toBeUndefined();
	expect(shown(refused.replace('/track/click', '/programs/:id'))).toContain('/programs/:id');
	const asked = '[wrangler:info] POST /api/v1/track/click 200 OK (9ms)';
	expect(shown(asked, { isQuiet: false })).toBe(asked);
});

test('finished cron work is shown only to operators', () => {
	const done = '{"level":"info","event":"effects_applied","rows":1,"requestId":"1"}';
	expect(shown(done)).toBeUndefined();
	expect(shown(done, { isQuiet: false })).toBe(done);
	expect(shown(done.replace('info', 'warn'))).toContain('effects_applied');
});

test.each(['', 'A warning', '{"level":"error","event":"request_failed"}', '{"event":"tracked"', '{"event":"tracked","type":7}'])(
	'other lines stay unchanged: %s',
	(line) => expect(shown(line)).toBe(line),
);
