import { describe, expect, test } from 'vitest';
import type { PaymentFact, ReversalFact } from '../../../src/domain/processors/processor-event.ts';
import {
	COMMISSION_TO_BE,
	SALE_TO_BE,
	ANOTHER_PROGRAM,
	type FactOutcome,
	outcomeOf,
	paymentReason,
	foreignOutcome,
	reversalReason,
	TAKEN_ELSEWHERE,
	unattributedPayment,
	type Waiting,
} from '../../../src/domain/processors/processor-outcome.ts';

// The outcomes of events, as the inbox shows them.

const sale: FactOutcome = { state: 'applied', reason: 'Sale 12 recorded, commission 7', saleId: 12, reportedIds: ['pi_1'] };
const remembered: FactOutcome = { state: 'applied', reason: 'Remembered', reportedIds: ['sub_1'], isAside: true };
const refused: FactOutcome = { state: 'refused', reason: 'Refused: no' };
const ignored: FactOutcome = { state: 'ignored', reason: 'Nothing to do' };
const waiting: Waiting = { state: 'waiting', reason: 'waits', expiredReason: 'over', waitsFor: ['pi_1'], watch: 'often' };

describe('an event', () => {
	test.each<[what: string, outcomes: FactOutcome[], expected: object]>([
		["without facts is ignored for its reader's reason", [], { state: 'ignored', reason: 'invoice.upcoming is not read', reportedIds: [] }],
		['reports all references of its facts', [remembered, sale], { state: 'applied', saleId: 12, reportedIds: ['sub_1', 'pi_1'] }],
		['omits the stored reference next to a sale', [remembered, sale], { reason: 'Sale 12 recorded, commission 7' }],
		[
			'mentions the stored reference if that is all',
			[remembered],
			{ state: 'applied', reason: 'Invoice.upcoming is not read. Remembered' },
		],
		[
			'waits if one of its facts waits',
			[remembered, waiting],
			{ state: 'waiting', reason: 'waits', expiredReason: 'over', waitsFor: ['pi_1'] },
		],
		[
			'is refused if one of its facts is',
			[sale, refused],
			{ state: 'refused', reason: 'Sale 12 recorded, commission 7; Refused: no', saleId: 12 },
		],
		['is refused even if a reference was stored', [remembered, refused], { state: 'refused', reason: 'Refused: no' }],
		['is applied if one of its facts was', [ignored, sale], { state: 'applied', reason: 'Nothing to do; Sale 12 recorded, commission 7' }],
		['is ignored if no fact applied', [ignored], { state: 'ignored', reason: 'Nothing to do', saleId: undefined, reportedIds: [] }],
	])('%s', (_what, outcomes, expected) => {
		expect(outcomeOf(outcomes, 'invoice.upcoming is not read', false)).toMatchObject(expected);
	});

	test('names the last sale that it recorded', () => {
		const other: FactOutcome = { ...sale, saleId: 13 };
		const nothing: FactOutcome = { state: 'applied', reason: 'Counted', reportedIds: [] };
		expect(outcomeOf([sale, other, nothing], '', false).saleId).toBe(13);
	});

	test('mentions a stored reference if asked to', () => {
		expect(outcomeOf([{ ...remembered, isAside: false }, sale], '', false).reason).toBe('Remembered; Sale 12 recorded, commission 7');
	});

	test('in test mode says that it changed nothing real', () => {
		expect(outcomeOf([sale], '', true).reason).toBe('Test record: nothing real has changed. Sale 12 recorded, commission 7');
		expect(outcomeOf([waiting], '', true).reason).toBe('waits');
	});

	test('in test mode that did nothing does not say so', () => {
		expect(outcomeOf([ignored], '', true).reason).toBe('Nothing to do');
		expect(outcomeOf([refused], '', true).reason).toBe('Refused: no');
	});
});

describe('a waiting event whose time is over', () => {
	const aside: FactOutcome = { ...waiting, isAside: true };
	const expired = { state: 'expired', reason: 'over', saleId: undefined, reportedIds: [] };

	test.each<[what: string, outcomes: FactOutcome[], expected: object]>([
		["expires for its fact's reason", [waiting], expired],
		['expires even if another fact was applied', [sale, waiting], { ...expired, saleId: 12, reportedIds: ['pi_1'] }],
		[
			'counts as applied if only a side fact waited',
			[sale, aside],
			{ state: 'applied', reason: 'Sale 12 recorded, commission 7', saleId: 12, reportedIds: ['pi_1'] },
		],
		['expires if it has only the side fact', [aside], expired],
		['expires if nothing but the side fact could apply', [ignored, aside], expired],
	])('%s', (_what, outcomes, expected) => {
		const outcome = outcomeOf(outcomes, 'an event', false);
		expect(outcome).toMatchObject({ state: 'waiting', waitsFor: ['pi_1'], watch: 'often' });
		expect(outcome.state === 'waiting' && outcome.expired).toEqual(expected);
	});
});

const paymentOf = (of: Partial<PaymentFact['sale']>): PaymentFact => ({
	kind: 'payment',
	paymentIds: ['pi_1'],
	invoiceId: undefined,
	attribution: { customerKey: undefined, clickId: undefined, programId: undefined, processorIds: [] },
	sale: {
		transactionId: 'pi_1',
		amountCents: 1,
		currency: 'USD',
		saleType: 'payment',
		isRecurring: false,
		subscriptionId: undefined,
		subscriptionInterval: undefined,
		productId: undefined,
		lineItems: undefined,
		...of,
	},
	chargedCents: 1,
	paidAt: 1,
});

describe('an unattributed payment', () => {
	const keys = 'Put tracker_customer_key or tracker_click_id in the metadata of the subscription (in Checkout: subscription_data.metadata)';
	const renewal = { subscriptionId: 'sub_1', isRecurring: true };

	test.each<[Partial<PaymentFact['sale']>, boolean, string]>([
		[{}, false, 'not attributed: the checkout session has no tracker metadata'],
		[{ subscriptionId: 'sub_1' }, false, 'not attributed: neither the subscription nor its checkout session has tracker metadata'],
		[{ subscriptionId: 'sub_1' }, true, 'not attributed: neither the subscription nor its checkout session has tracker metadata'],
		[
			renewal,
			false,
			`renewal not attributed: its subscription has no tracker metadata. ${keys}, or turn on renewals_follow_checkout for the program`,
		],
		[renewal, true, `renewal not attributed: its subscription has no tracker metadata and no earlier sale. ${keys}`],
	])('%j, renewals follow: %s: says what is missing', (fields, follows, words) => {
		expect(unattributedPayment(paymentOf(fields), follows)).toBe(words);
	});
});

test('a refusal because of another program says so', () => {
	expect(ANOTHER_PROGRAM).toMatch(/^The program_id in the metadata does not match/);
	expect(TAKEN_ELSEWHERE).toMatch(/^Refused: another program has recorded a sale/);
});

test.each([
	[{ commissionId: 7, reason: null, isNew: true }, 'Sale 12 recorded, commission 7'],
	[{ commissionId: null, reason: 'window_expired', isNew: true }, 'Sale 12 recorded, no commission: the attribution window has expired'],
	[{ commissionId: null, reason: null, isNew: true }, 'Sale 12 recorded, its commission has not been created yet'],
	[{ commissionId: 7, reason: null, isNew: false }, 'Already recorded as sale 12'],
] as const)('a payment: %j', (receipt, words) => {
	expect(paymentReason({ saleId: 12, ...receipt })).toBe(words);
});

const factOf = (kind: 'refund' | 'dispute' | 'total'): ReversalFact => ({
	kind: 'reversal',
	paymentIds: ['pi_1'],
	invoiceId: undefined,
	currency: 'USD',
	reason: undefined,
	reversal: { kind, id: 'x', amountCents: 2_500, happenedAt: 1, undoneAt: undefined, chargeId: undefined, chargeCents: undefined },
});

test('a sale that is about to be written has placeholders, each once', () => {
	const reason = paymentReason({ saleId: SALE_TO_BE, commissionId: COMMISSION_TO_BE, reason: null, isNew: true });
	expect(reason).toBe('Sale {sale} recorded, commission {commission}');
});

describe('a refund or dispute', () => {
	const receipt = { saleId: 12, commissionId: 7, amountCents: 2_500, deductionCents: 500, currency: 'USD' };

	test.each([
		['refund', 'refunded', 'Refund of 25.00 USD of sale 12: commission 7 reduced by 5.00 USD'],
		['total', 'reversed', 'Refund of 25.00 USD of sale 12: commission 7 reversed, 5.00 USD deducted'],
		['dispute', 'reversed', 'Dispute of 25.00 USD of sale 12: commission 7 reversed, 5.00 USD deducted'],
		['dispute', 'reinstated', 'Dispute won, 25.00 USD of sale 12 counts again: commission 7 raised by 5.00 USD'],
		['refund', 'reinstated', 'Refund failed, 25.00 USD of sale 12 counts again: commission 7 raised by 5.00 USD'],
		['refund', 'no_commission', 'Refund of 25.00 USD of sale 12, whose commission 7 is rejected: nothing is deducted'],
		['refund', 'unchanged', 'Refund of sale 12: nothing new, it is already counted'],
		['refund', 'test', 'Refund of 25.00 USD of sale 12, a test sale'],
	] as const)('%s, %s', (kind, outcome, words) => {
		expect(reversalReason(factOf(kind), { ...receipt, outcome })).toBe(words);
	});

	test('in another currency than the charge is refused, and waits if the charge is unknown', () => {
		const fact = { ...factOf('dispute'), currency: 'EUR' };
		expect(foreignOutcome(fact, { saleId: 12, transactionId: 'order-12', chargedIn: 'USD' })).toEqual({
			state: 'refused',
			reason: 'Refused: the dispute is in EUR, its payment in USD',
		});
		expect(foreignOutcome(fact, { saleId: 12, transactionId: 'order-12', chargedIn: undefined })).toMatchObject({
			state: 'waiting',
			reason: 'waits: the dispute is in EUR, and no event has reported the charge of sale 12 yet',
			waitsFor: [...fact.paymentIds, 'order-12'],
		});
	});

	test('whose reinstatement raised no commission does not mention one', () => {
		expect(reversalReason(factOf('refund'), { ...receipt, deductionCents: 0, outcome: 'reinstated' })).toBe(
			'Refund failed, 25.00 USD of sale 12 counts again',
		);
	});

	test('has the decimals of its currency', () => {
		expect(reversalReason(factOf('refund'), { ...receipt, outcome: 'refunded', currency: 'JPY' })).toContain('2500 JPY');
		expect(reversalReason(factOf('refund'), { ...receipt, outcome: 'refunded', currency: 'KWD' })).toContain('2.500 KWD');
	});

	test('may have no commission', () => {
		expect(reversalReason(factOf('refund'), { ...receipt, commissionId: null, outcome: 'no_commission' })).toBe(
			'Refund of 25.00 USD of sale 12, which has no commission',
		);
	});

	test('may be reinstated without a commission', () => {
		expect(reversalReason(factOf('dispute'), { ...receipt, commissionId: null, outcome: 'reinstated' })).toBe(
			'Dispute won, 25.00 USD of sale 12 counts again',
		);
	});
});
