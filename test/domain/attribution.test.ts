import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AttributedClick, type Evidence, identify, isInsideWindow, type KnownCustomer } from '../../src/domain/attribution.ts';
import { DAY_MS } from '../../src/domain/calendar.ts';

const click: AttributedClick = { clickId: 'cust_1_1', clickedAt: 1, referralLinkId: 1, partnerProgramId: 1, customers: 0 };
const unattributed: KnownCustomer = { id: 1, revision: 0, status: 'lead', customerKey: 'a', clickId: null };
const attributed: KnownCustomer = { ...unattributed, clickId: 'cust_9_9' };
const ofClick: KnownCustomer = { ...unattributed, id: 2, customerKey: null, clickId: click.clickId };
const nothing: Evidence<KnownCustomer> = { customerKey: undefined, byKey: undefined, click: undefined, ofClick: undefined };

const known = (customer: KnownCustomer, newKey?: string, newClick?: AttributedClick) => ({ kind: 'known', customer, newKey, newClick });
const newOne = (customerKey?: string, of?: AttributedClick) => ({ kind: 'new', customerKey, click: of });

describe('decision 4, case by case', () => {
	test.each<[what: string, evidence: Partial<Evidence<KnownCustomer>>, identity: object]>([
		['a known key names its customer', { customerKey: 'a', byKey: attributed }, known(attributed)],
		['whose attribution no later click moves', { customerKey: 'a', byKey: attributed, click }, known(attributed)],
		['nor the customer of that click', { customerKey: 'a', byKey: attributed, click, ofClick }, known(attributed)],
		['without attribution it takes the click', { customerKey: 'a', byKey: unattributed, click }, known(unattributed, undefined, click)],
		[
			'but not once it has bought',
			{ customerKey: 'a', byKey: { ...unattributed, status: 'conversion' }, click },
			known({ ...unattributed, status: 'conversion' }),
		],
		['a click names the customer it stands for', { click, ofClick }, known(ofClick)],
		['an unknown key is given to it', { customerKey: 'b', click, ofClick }, known(ofClick, 'b')],
		[
			'or makes a further customer of the click where it has another key',
			{ customerKey: 'b', click, ofClick: { ...ofClick, customerKey: 'a' } },
			newOne('b', click),
		],
		[
			'a click alone names it even where it has a key',
			{ click, ofClick: { ...ofClick, customerKey: 'a' } },
			known({ ...ofClick, customerKey: 'a' }),
		],
		['a click that stands for nobody yet makes a customer', { click }, newOne(undefined, click)],
		['with its key', { customerKey: 'b', click }, newOne('b', click)],
		['an unknown key alone makes an unattributed one', { customerKey: 'b' }, newOne('b')],
	])('%s', (_what, evidence, identity) => {
		expect(identify({ ...nothing, ...evidence })).toEqual(identity);
	});
});

test('whatever is known, a customer that has a click keeps it, and one that has a key keeps that', () => {
	const customers = fc.record({
		id: fc.integer({ min: 1 }),
		revision: fc.nat(),
		status: fc.constantFrom('click' as const, 'lead' as const, 'conversion' as const),
		customerKey: fc.option(fc.string()),
		clickId: fc.option(fc.string()),
	});
	const evidences = fc.record({
		customerKey: fc.option(fc.string(), { nil: undefined }),
		byKey: fc.option(customers, { nil: undefined }),
		click: fc.option(fc.constant(click), { nil: undefined }),
		ofClick: fc.option(customers, { nil: undefined }),
	});
	fc.assert(
		fc.property(evidences, (evidence) => {
			const identity = identify(evidence);
			if (identity.kind === 'new') return;
			if (identity.customer.clickId !== null) expect(identity.newClick).toBeUndefined();
			if (identity.customer.customerKey !== null) expect(identity.newKey).toBeUndefined();
			if (identity.customer.status === 'conversion') expect(identity.newClick).toBeUndefined();
		}),
	);
});

test('the window ends to the millisecond', () => {
	expect(isInsideWindow(1000, 1000, 1)).toBe(true);
	expect(isInsideWindow(1000, 1000 + DAY_MS, 1)).toBe(true);
	expect(isInsideWindow(1000, 1001 + DAY_MS, 1)).toBe(false);
	expect(isInsideWindow(0, 60 * DAY_MS, 60)).toBe(true);
	expect(isInsideWindow(0, 60 * DAY_MS + 1, 60)).toBe(false);
});
