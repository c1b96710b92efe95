import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/domain/calendar.ts';
import { NO_COMMISSION, type NoCommissionReason, type RuleTerms } from '../../../src/domain/commissions/commission.ts';
import {
	explainSale,
	refundText,
	type SaleTimeline,
	type TimelineRefund,
	whyNothing,
} from '../../../src/domain/commissions/explanation.ts';
import { countText, dayText, timeText } from '../../../src/domain/time-text.ts';
import { began, type Case, click, CLICKED, NOW, partner, rule, unattributed } from '../../support/sale-cases.ts';
import { timelineOf } from '../../support/sale-story.ts';

const TIME = { now: NOW + DAY_MS, timeZone: 'UTC' };

const stepsOf = (story: SaleTimeline, time = TIME) => explainSale(story, time).steps.map(({ text }) => text);
const conclusionOf = (story: SaleTimeline) => explainSale(story, TIME).conclusion;
const withRules = (...rules: RuleTerms[]) => ({ partners: [{ ...partner, rules }] });

test('a sale that earned, starting at the click', () => {
	const story = timelineOf({});
	expect(explainSale(story, TIME)).toEqual({
		conclusion: 'Sale 5 (order-1) earned 20.00 USD. Approved immediately because its rule has no hold',
		steps: [
			{ at: CLICKED, kind: 'click', text: 'Clicked pat on 1 October 2026, 12:00, a link of Pat' },
			{ at: null, kind: 'lead', text: 'Signed up on 2 October 2026' },
			{ at: NOW, kind: 'sale', text: 'A sale of 100.00 USD was recorded on 11 October 2026, 12:00 as order-1' },
			{ at: null, kind: 'decision', text: 'Its customer was known by customer_key and already had this partner' },
			{ at: null, kind: 'decision', text: 'It was paid within the window of 30 days, which ends on 31 October 2026, 12:00' },
			{ at: null, kind: 'decision', text: 'Rule 4, version 2 (for all sales) applied' },
			{ at: null, kind: 'decision', text: '20 % of 100.00 USD is 20.00 USD' },
			{ at: null, kind: 'commission', text: 'It has no hold, so it was approved immediately' },
		],
	});
});

describe('the basis of the decision', () => {
	const flat: RuleTerms = { ...rule, type: 'flat', basisPoints: null, amountCents: 500, currency: 'USD' };
	const first = [{ customerId: 5, firstDay: '2026-10-02' }];
	test.each<[what: string, asked: Case, words: string]>([
		[
			'a click that changed nothing',
			{ known: { click } },
			'It had another click, which changed nothing: a customer keeps the partner of the first click',
		],
		[
			'a click that gave the attribution',
			{ known: { byKey: unattributed, click } },
			'Its customer was known by customer_key without a partner, and was attributed to the click of the sale',
		],
		['a new customer', { known: { byKey: undefined, click } }, 'Its customer was new and was attributed to the click'],
		[
			'a renewal',
			{ known: { renewed: first } },
			"It renews a subscription whose first sale was on 2 October 2026. The rule's limit applies, not the window",
		],
		[
			'a trial',
			{ known: { subscription: { ...began, trialBeganAt: CLICKED + DAY_MS, carriesKeys: true } } },
			'Its subscription began with a trial on 2 October 2026, 12:00, within the window of 30 days, which ends on 31 October 2026, 12:00',
		],
		[
			'half a cent',
			{ sale: { amountCents: 1_003 }, known: withRules({ ...rule, basisPoints: 1_250 }) },
			'12.5 % of 10.03 USD is 1.25 USD, rounded half up',
		],
		['a flat rule', { known: withRules(flat) }, 'It pays 5.00 USD for each sale'],
		[
			'rules that were overridden',
			{ known: withRules(rule, { ...rule, ruleVersionId: 2, scope: 'partner' }, { ...rule, ruleVersionId: 3, scope: 'group_product' }) },
			"Rule 4, version 2 (for the partner) applied. It takes precedence over the rule for all sales and the rule for the product and the partner's group",
		],
	])('%s', (_what, asked, words) => {
		expect(stepsOf(timelineOf(asked))).toContain(words);
	});

	test('a payment that was reported later', () => {
		const story = timelineOf({ at: { now: NOW + 30 * DAY_MS, paidAt: NOW } });
		expect(stepsOf(story).join()).toContain('recorded on 10 November 2026, 12:00 as order-1; it was paid on 11 October 2026, 12:00');
	});

	test('a sale from before facts were stored says so, and explains what its rows show', () => {
		const story = timelineOf({}, { facts: undefined });
		expect(stepsOf(story)[3]).toMatch(/^It was recorded before the facts of decisions were stored/);
		expect(conclusionOf(story)).toMatch(/earned 20\.00 USD/);
		expect(conclusionOf({ ...story, commission: null, commissionState: 'none', noCommissionReason: 'no_rule' })).toBe(
			'Sale 5 (order-1) earned nothing: no commission rule applies to this sale',
		);
	});
});

const late = (afterMs: number): Case => ({ at: { now: CLICKED + 30 * DAY_MS + afterMs } });

describe('the reason for no commission', () => {
	const renewed = { renewed: [{ customerId: 5, firstDay: '2026-09-11' }] };
	const cases: Record<Exclude<NoCommissionReason, 'test_mode'>, [asked: Case, words: string][]> = {
		window_expired: [
			[late(12 * DAY_MS), 'the window of 30 days ended 12 days before it was paid, on 31 October 2026, 12:00'],
			[late(47 * HOUR_MS), 'the window of 30 days ended 47 hours before it was paid, on 31 October 2026, 12:00'],
			[late(1), 'the window of 30 days ended less than an hour before it was paid, on 31 October 2026, 12:00'],
		],
		recurring_limit_reached: [
			[
				{ known: { ...renewed, ...withRules({ ...rule, recurringMonths: 1 }) } },
				'the rule pays for renewals only in the first 1 month, and the first sale of this subscription was on 11 September 2026',
			],
			[
				{ known: { ...renewed, ...withRules({ ...rule, recurringMonths: 0 }) } },
				'the rule pays only for first payments, and the first sale of this subscription was on 11 September 2026',
			],
		],
		proration: [
			[
				{ sale: { isProration: true }, known: withRules({ ...rule, type: 'flat', basisPoints: null, amountCents: 5, currency: 'USD' }) },
				'a flat commission is for first payments and regular renewals, and this is a proration',
			],
		],
		no_rule: [
			[{ known: withRules() }, 'no commission rule applied to it'],
			[
				{ known: withRules({ ...rule, type: 'flat', basisPoints: null, amountCents: 5, currency: 'EUR' }) },
				'the only rules were flat amounts in currencies other than USD',
			],
		],
		partner_suspended: [[{ known: { partners: [{ ...partner, status: 'suspended' }] } }, 'its partner was suspended when it was recorded']],
	};
	const table = Object.entries(cases).flatMap(([reason, all]) => all.map(([asked, words]) => [reason, words, asked] as const));
	test.each(table)('%s: %s', (reason, words, asked) => {
		const story = timelineOf(asked);
		expect(story.noCommissionReason).toBe(reason);
		expect(conclusionOf(story)).toBe(`Sale 5 (order-1) earned nothing: ${words}`);
		expect(stepsOf(story).every((text) => text !== '')).toBe(true);
	});

	test('every reason has a text, with facts and without', () => {
		for (const reason of ['window_expired', 'recurring_limit_reached', 'proration', 'no_rule', 'partner_suspended', 'test_mode'] as const) {
			expect(whyNothing(reason, { facts: undefined }, 'UTC')).toBe(NO_COMMISSION[reason]);
			expect(whyNothing(reason, timelineOf({}), 'UTC')).not.toBe('');
		}
	});

	test('a test, a duplicate, and a sale whose commission is due', () => {
		const tried = timelineOf({}, { isTest: true, facts: undefined, customer: null, partnerName: null, commission: null });
		expect([conclusionOf(tried), stepsOf(tried)]).toEqual([
			'Sale 5 (order-1) is a test and earns nothing',
			['A test sale of 100.00 USD was recorded on 11 October 2026, 12:00 as order-1'],
		]);
		expect(conclusionOf(timelineOf({}, { duplicateOfSaleId: 3 }))).toContain('is the same payment as sale 3, which counts');
		expect(conclusionOf(timelineOf({}, { commission: null, commissionState: 'failed' }))).toContain('could not be created yet');
	});
});

describe('later events', () => {
	const refund: TimelineRefund = {
		amountCents: 2_000,
		deductionCents: 400,
		withheldCents: 0,
		outcome: 'refunded',
		source: 'endpoint',
		reason: 'Torn',
		createdAt: NOW + 3,
	};

	test('are listed in order, with their amounts', () => {
		const held = timelineOf({ known: withRules({ ...rule, holdDays: 3 }) });
		const { commission } = held;
		const story: SaleTimeline = {
			...held,
			commission: commission && { ...commission, status: 'rejected', rejectionReason: 'Own purchase', deductedCents: 400 },
			refunds: [refund],
			entries: [
				{ kind: 'credit', nominalCents: 2_000, appliedCents: 2_000, balanceAfterCents: 2_500, createdAt: NOW },
				{ kind: 'reversal', nominalCents: -400, appliedCents: -100, balanceAfterCents: 0, createdAt: NOW + 3 },
			],
			payout: {
				id: 7,
				amountCents: 2_000,
				currency: 'USD',
				createdAt: NOW + 2,
				sentAt: NOW + 4,
				failedAt: NOW + 5,
				failureReason: 'Closed account',
			},
		};
		expect(explainSale(story, TIME).conclusion).toBe(
			'Sale 5 (order-1) earned 20.00 USD, of which 16.00 USD is left. Rejected: Own purchase',
		);
		expect(stepsOf(story).slice(7)).toEqual([
			'On hold until 14 October 2026, 12:00',
			'Rejected: Own purchase',
			'Balance +20.00 USD by credit, to 25.00 USD',
			'Paid in payout 7, which has a total of 20.00 USD',
			'Refunded 20.00 USD (Torn): 4.00 USD deducted',
			'Balance -1.00 USD by reversal, to 0.00 USD. -4.00 USD was due, but the balance had no more',
			'Payout 7 was marked as sent',
			'Payout 7 failed: Closed account. Its amount was credited to the balance again',
		]);
		expect(stepsOf(story, { ...TIME, now: NOW + 9 * DAY_MS })[7]).toBe('On hold until 14 October 2026, 12:00, which is over');
	});

	test.each<[Partial<TimelineRefund>, string]>([
		[
			{ outcome: 'reversed', source: 'processor', reason: null },
			'Refunded 20.00 USD, as reported by the payment processor: 4.00 USD deducted',
		],
		[{ deductionCents: null }, 'Refunded 20.00 USD (Torn): the sale has no commission'],
		[{ outcome: 'no_commission' }, 'Refunded 20.00 USD (Torn): there was no commission to deduct it from'],
		[{ outcome: 'reinstated' }, '20.00 USD counts again because a refund failed or a dispute was won: 4.00 USD reinstated'],
		[
			{ outcome: 'reinstated', deductionCents: null },
			'20.00 USD counts again because a refund failed or a dispute was won: 0.00 USD reinstated',
		],
		[
			{ outcome: 'reinstated', withheldCents: 150 },
			'20.00 USD counts again because a refund failed or a dispute was won: 4.00 USD reinstated, of which 1.50 USD was withheld',
		],
		[{ outcome: 'skipped' }, 'A refund was reported but not applied (Torn)'],
		[{ outcome: 'test' }, 'A test refund of 20.00 USD. It changes nothing'],
	])('a refund %j', (of, words) => {
		expect(refundText({ ...refund, ...of }, 'USD')).toBe(words);
	});
});

test("times are in the program's zone", () => {
	expect(timeText(NOW, 'Asia/Tokyo')).toBe('11 October 2026, 21:00');
	expect([dayText('2026-01-05'), countText(1, 'day'), countText(0, 'day')]).toEqual(['5 January 2026', '1 day', '0 days']);
});
