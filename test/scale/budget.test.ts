import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import document from '../../public/api/openapi.json';
import type { Context } from '../../src/context.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { eraseRetiredClicks } from '../../src/privacy/erase-retired-clicks.ts';
import { JOBS } from '../../src/jobs/tick.ts';
import type { ScaleRequest } from '../../testing/scale/cases.ts';
import { requestsOf } from '../../testing/scale/requests.ts';
import { PROGRAM_ID, TEST_SIZE } from '../../testing/scale/size.ts';
import { trackingOf, type Write, writesOf } from '../../testing/scale/writes.ts';
import { ALLOWED_SHAPES } from './allowed-shapes.ts';
import { BY_KEY } from './by-key.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { ask, call, consume, type Measured, work } from './support/ask.ts';
import { aFilledProgram, findIds, NOW } from './support/filled.ts';
import { aRetiredClick, retainClicks, textsOfRetired } from './support/retired.ts';
import { complaintsOf, shapesIn, worstOf } from './support/judge.ts';

// The budget of every read in a large program (decision 61).

let requests: Readonly<Record<string, readonly ScaleRequest[]>>;
const measured = new Map<string, readonly Measured[]>();

beforeAll(async () => {
	requests = requestsOf(await aFilledProgram());
});

afterAll(() => {
	console.info([...measured].map(([name, cases]) => worstOf(name, cases)).join('\n'));
});

async function expectHeld(name: string, cases: readonly Measured[]): Promise<void> {
	measured.set(name, cases);
	expect(await complaintsOf(name, cases)).toEqual([]);
}

const READS = Object.values(document.paths).flatMap((path) => ('get' in path ? [path.get.operationId] : []));

describe('a read', () => {
	it.each(READS)('%s meets its budget', async (operation) => {
		const asked = requests[operation];
		if (!asked) throw new Error(`Nothing is known of ${operation}: say in testing/scale/requests.ts what it is asked at scale`);
		const answers = [];
		for (const request of asked) {
			const answer = await ask(request);
			expect(answer.status, `${answer.name}: ${answer.text.slice(0, 300)}`).toBe(request.status);
			answers.push(answer);
		}
		await expectHeld(operation, answers);
	});

	it('in the requests is an operation of the document', () => {
		expect(Object.keys(requests).filter((operation) => !READS.includes(operation))).toEqual([]);
	});
});

const CHANGES = Object.values(document.paths).flatMap((path) =>
	Object.entries(path).flatMap(([method, operation]) => (['get', 'options'].includes(method) ? [] : [operation.operationId])),
);
const MEASURED_CHANGES = CHANGES.filter((operation) => !BY_KEY.has(operation) && !operation.startsWith('track'));

async function callAll(operation: string, writes: readonly Write[] | undefined): Promise<readonly Measured[]> {
	if (!writes)
		throw new Error(`Nothing is known of ${operation}: name it in test/scale/by-key.ts, or say in testing/scale/writes.ts how it is sent`);
	const batches = [];
	for (const write of writes) {
		const { status, text, batches: sent } = await call(write);
		expect(status, `${operation}: ${text.slice(0, 300)}`).toBeLessThan(300);
		batches.push(...sent);
	}
	return batches;
}

describe('a change', () => {
	let writes: Readonly<Record<string, readonly Write[]>>;
	beforeAll(async () => {
		writes = await writesOf(TEST_SIZE, findIds);
	});

	it.each(MEASURED_CHANGES)('%s meets its budget in each batch', async (operation) => {
		await expectHeld(operation, await callAll(operation, writes[operation]));
	});

	it('that is sent or exempt is an operation of the document', () => {
		expect([...Object.keys(writes), ...BY_KEY].filter((operation) => !CHANGES.includes(operation))).toEqual([]);
	});
});

describe('tracking and its messages', () => {
	it('meets its budget in each batch', async () => {
		const click = await call(trackingOf('').trackClick);
		const { click_id: clickId }: { click_id: string } = JSON.parse(click.text);
		await expectHeld('clicks stored', await consume('affiliate-clicks', click.messages.CLICKS));
		const { trackLead, trackSale, trackRefund } = trackingOf(clickId);
		const effects: unknown[] = [];
		for (const [operation, write] of Object.entries({ trackLead, trackSale, trackRefund })) {
			const { status, text, batches, messages } = await call(write);
			expect(status, text).toBe(200);
			effects.push(...messages.EFFECTS);
			await expectHeld(operation, batches);
		}
		await expectHeld('effects applied', await consume('affiliate-effects', effects));
	});

	it('meets it for processor events, webhooks and postbacks', async () => {
		const ids = await findIds("SELECT id FROM processor_events WHERE state = 'waiting'");
		await expectHeld('processor events', await consume('affiliate-effects', [{ version: 1, kind: 'processor_events', ids }]));
		await expectHeld('webhooks', await consume('affiliate-webhooks', [{ version: 1, kind: 'webhooks', channel: 'webhooks' }]));
		await expectHeld('postbacks', await consume('affiliate-webhooks', [{ version: 1, kind: 'webhooks', channel: 'postbacks' }]));
		await expectHeld('dead letters', await consume('affiliate-dead-letters', [{ version: 0 }]));
	});
});

describe('a cron job', () => {
	// A day later, holds have ended and erasures are searched again. In this minute, the roll-up verifies the program.
	const at = NOW + DAY_MS + MINUTE_MS;

	beforeAll(retainClicks);

	it.each(Object.entries(JOBS))('%s meets its budget in each batch', async (name, job) => {
		await expectHeld(name, await work(name, job, at));
	});
});

describe('a click of a full file', () => {
	it('is erased within the budget in each batch', async () => {
		const clickId = await aRetiredClick();
		const erase = (ctx: Context) => eraseRetiredClicks(ctx, PROGRAM_ID, [[clickId, 'erased-click']]);
		await expectHeld('retired clicks erased', await work('retired clicks erased', erase, NOW + DAY_MS));
		expect(await textsOfRetired()).not.toContain(clickId);
	});
});

describe('the plans of all statements', () => {
	it('have only the scan shapes that are allowed', async () => {
		const found = new Map<string, string>();
		for (const [name, cases] of measured)
			for (const [shape, plan] of await shapesIn(name, cases))
				if (!(name in EXCEPTIONS) || shape.endsWith(': made index')) found.set(shape, plan);
		const refused = [...found].filter(([shape]) => !(shape in ALLOWED_SHAPES));
		expect(refused.map((texts) => texts.join('\n'))).toEqual([]);
		// An entry that is no longer needed must be removed.
		expect(Object.keys(ALLOWED_SHAPES).filter((shape) => !found.has(shape))).toEqual([]);
	});
});
