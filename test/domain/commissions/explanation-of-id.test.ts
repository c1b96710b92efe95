import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/domain/calendar.ts';
import {
	ADVICE,
	type IdQuery,
	eventText,
	explainId,
	type FoundOfId,
	refusalText,
	type TimelineClick,
	type TimelineCustomer,
	type TimelineEvent,
	type TimelineRefusal,
} from '../../../src/domain/commissions/explanation-of-id.ts';
import { isLogged } from '../../../src/domain/refusal.ts';
import { Rejection, type RejectionCode, REJECTIONS } from '../../../src/domain/rejection.ts';
import { CLICKED, NOW } from '../../support/sale-cases.ts';

const TIME = { now: NOW, timeZone: 'UTC', windowDays: 30 };
const NOTHING: FoundOfId = { sales: [], refusals: [], events: [], customers: [], click: undefined, isElsewhere: false };
const explain = (found: Partial<FoundOfId>, kind: IdQuery['kind'] = 'transaction_id') =>
	explainId({ kind, value: 'x' }, { ...NOTHING, ...found }, TIME);

const refusal: TimelineRefusal = {
	operation: 'sale',
	status: 400,
	code: 'customer_unattributed',
	message: 'partnerId required to create commission',
	count: 3,
	firstAt: CLICKED,
	lastAt: NOW,
};
const event: TimelineEvent = {
	eventId: 'evt_1',
	type: 'invoice.paid',
	isTest: false,
	state: 'waiting',
	reason: 'waits: its customer is not known yet',
	receivedAt: NOW,
	nextAttemptAt: NOW + DAY_MS,
	expiresAt: NOW + 4 * DAY_MS,
};
const customer: TimelineCustomer = {
	status: 'lead',
	signupDay: '2026-10-02',
	createdAt: NOW,
	clickedAt: CLICKED,
	shortLink: 'pat',
	partnerName: 'Pat',
	couponCode: null,
};
const click: TimelineClick = {
	verdict: 'own',
	clickedAt: CLICKED,
	shortLink: 'pat',
	partnerName: 'Pat',
	isStored: true,
	retirement: null,
	isBot: false,
	couponCode: null,
};

const textOf = (of: Partial<TimelineClick>) => explain({ click: { ...click, ...of } }, 'click_id').steps[0]?.text;

test('for an unknown id it says where to look', () => {
	for (const kind of ['transaction_id', 'payment_id', 'customer_key'] as const) {
		expect(explain({}, kind)).toEqual({ conclusion: expect.stringMatching(/ (?:Check|check) that |^This click is unknown$/), steps: [] });
	}
});

describe('a refusal', () => {
	test('says when, how often, and what to do', () => {
		const words =
			'The sale was refused with 400 on 11 October 2026, 12:00 (3 times since 1 October 2026, 12:00): partnerId required to create commission. No partner referred the customer: the lead had no click';
		expect(explain({ refusals: [refusal] })).toEqual({ conclusion: words, steps: [{ at: NOW, kind: 'refusal', text: words }] });
		expect(refusalText({ ...refusal, count: 1, code: 'unheard_of' }, TIME)).toBe(
			'The sale was refused with 400 on 11 October 2026, 12:00: partnerId required to create commission',
		);
	});

	test('of a sale takes precedence over one of a refund', () => {
		const ofRefund = { ...refusal, operation: 'refund', code: 'sale_not_found', count: 1 } as const;
		expect(explain({ refusals: [ofRefund, refusal] }).conclusion).toMatch(/^The sale/);
		expect(explain({ refusals: [ofRefund] }).conclusion).toMatch(/^The refund/);
	});

	/** Contract, section 7: the codes that tracking routes return with the program's key. */
	const codes = Object.keys(REJECTIONS)
		.filter((code): code is RejectionCode => /^(lead|sale|customer|partner_program|paid|subscribed|transaction|invalid|body)_/.test(code))
		.filter((code) => isLogged(new Rejection(code)));
	test.each(codes)('%s has advice, or needs none', (code) => {
		const isPlain = code === 'lead_identity_required';
		expect(code in ADVICE || isPlain).toBe(true);
		expect(refusalText({ ...refusal, code, message: new Rejection(code).message }, TIME)).not.toMatch(/undefined|\{/);
	});
});

describe('a processor event', () => {
	test.each<[Partial<TimelineEvent>, string]>([
		[
			{},
			'Event evt_1 (invoice.paid) is waiting: its customer is not known yet. The next attempt is on 12 October 2026, 12:00, or earlier if a related event arrives. It expires on 15 October 2026, 12:00',
		],
		[
			{ state: 'received', reason: null },
			'Event evt_1 (invoice.paid) has arrived but has not been processed yet. The next attempt is on 12 October 2026, 12:00',
		],
		[{ state: 'applied', nextAttemptAt: null }, 'Event evt_1 (invoice.paid) was applied: its customer is not known yet'],
		[
			{ state: 'ignored', nextAttemptAt: null, isTest: true },
			'Test event evt_1 (invoice.paid) is not about a sale: its customer is not known yet',
		],
		[{ state: 'refused', nextAttemptAt: null, reason: 'Gone.' }, 'Event evt_1 (invoice.paid) was refused: Gone'],
		[{ state: 'expired', nextAttemptAt: null }, 'Event evt_1 (invoice.paid) has expired: its customer is not known yet'],
		[{ state: 'failed', nextAttemptAt: null, reason: null }, 'Event evt_1 (invoice.paid) failed'],
	])('%j', (of, words) => {
		expect(eventText({ ...event, ...of }, TIME)).toBe(words);
		expect(explain({ events: [{ ...event, ...of }] }).conclusion).toBe(words);
	});

	test('that waits takes precedence over a finished one, and over a refusal', () => {
		const over = { ...event, state: 'refused', eventId: 'evt_2' } as const;
		const ignored = { ...event, state: 'ignored', eventId: 'evt_3' } as const;
		expect(explain({ events: [ignored, over, event], refusals: [refusal] }).conclusion).toMatch(/^Event evt_1/);
		expect(explain({ events: [ignored, over], refusals: [refusal] }).conclusion).toMatch(/^Event evt_2/);
		expect(explain({ events: [ignored], refusals: [refusal] }).conclusion).toMatch(/^The sale was refused/);
	});
});

test('an id that another program has used', () => {
	expect(explain({ isElsewhere: true }).conclusion).toMatch(/^Another program has recorded a sale with this id/);
});

describe('a click', () => {
	test.each<[Partial<TimelineClick>, string]>([
		[{ verdict: 'forged' }, 'This click id was not created by this service'],
		[{ verdict: 'elsewhere' }, 'This click is not on a link of this program'],
		[{ verdict: 'test' }, 'This click was made in test mode'],
		[{}, 'Nobody has signed up or bought after this click. Its window of 30 days ends on 31 October 2026, 12:00'],
		[
			{ clickedAt: CLICKED - 31 * DAY_MS },
			'Nobody has signed up or bought after this click. Its window of 30 days ended on 30 September 2026, 12:00. Late',
		],
	])('%j', (of, words) => {
		expect(explain({ click: { ...click, ...of } }, 'click_id').conclusion.slice(0, words.length)).toBe(words);
	});

	test('shows whose link it is, whether it counts, and whether it is stored', () => {
		expect(textOf({})).toBe('Clicked pat on 1 October 2026, 12:00, a link of Pat');
		expect(textOf({ isStored: false, isBot: true, partnerName: null })).toBe(
			'Clicked pat on 1 October 2026, 12:00, a link that no longer has a partner. A crawler made it, so it is not counted. The id is genuine, but its page and country are not stored',
		);
		expect(textOf({ clickedAt: null })).toContain('on an unknown day');
	});
});

describe('a customer without a sale', () => {
	test.each<[Partial<TimelineCustomer>, conclusion: string, step: string]>([
		[
			{},
			'No sale of this customer was reported. Its window of 30 days ends on 31 October 2026, 12:00',
			'The customer has signed up, on 2 October 2026; referred by Pat with the click on pat on 1 October 2026, 12:00',
		],
		[
			{ clickedAt: null, status: 'click', signupDay: null },
			'No sale of this customer was reported. No partner referred this customer, so their sales are refused with 400',
			'The customer has only clicked so far; no partner referred them',
		],
		[
			{ status: 'conversion', partnerName: null },
			'No sale of this customer was reported. Its window of 30 days ends on 31 October 2026, 12:00',
			'The customer has bought, on 2 October 2026; referred by a partner with the click on pat on 1 October 2026, 12:00',
		],
	])('%j', (of, conclusion, step) => {
		const explained = explain({ customers: [{ ...customer, ...of }] }, 'customer_key');
		expect([explained.conclusion, explained.steps[0]?.text]).toEqual([conclusion, step]);
	});
});
