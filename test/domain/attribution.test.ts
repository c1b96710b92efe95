import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	type AttributedClick,
	type Evidence,
	FURTHER_CUSTOMERS,
	identify,
	identifyLead,
	identifyVisitor,
	isInsideWindow,
	type KnownCustomer,
} from '../../src/domain/attribution.ts';
import { DAY_MS } from '../../src/domain/calendar.ts';

const click: AttributedClick = { clickId: 'cust_1_1', clickedAt: 1, referralLinkId: 1, partnerProgramId: 1, customers: 0 };
const unattributed: KnownCustomer = { id: 1, revision: 0, status: 'lead', customerKey: 'a', clickId: null };
const attributed: KnownCustomer = { ...unattributed, clickId: 'cust_9_9' };
const ofClick: KnownCustomer = { ...unattributed, id: 2, customerKey: null, clickId: click.clickId };
const nothing: Evidence<KnownCustomer> = { customerKey: undefined, byKey: undefined, click: undefined, ofClick: undefined };

const known = (customer: KnownCustomer, newKey?: string, newClick?: AttributedClick) => ({ kind: 'known', customer, newKey, newClick });
const newOne = (customerKey?: string, of?: AttributedClick) => ({ kind: 'new', customerKey, click: of });

const locked = (customer: KnownCustomer) => ({ kind: 'locked', customer });

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

describe('the same in browser mode', () => {
	const nobody = { kind: 'nobody' };
	test.each<[what: string, evidence: Partial<Evidence<KnownCustomer>>, identity: object]>([
		['a click that stands for nobody yet makes a customer', { click }, newOne(undefined, click)],
		['with its key', { customerKey: 'b', click }, newOne('b', click)],
		['a known key is locked', { customerKey: 'a', byKey: attributed }, locked(attributed)],
		['also where it is unattributed', { customerKey: 'a', byKey: unattributed, click }, locked(unattributed)],
		["also where the click's own customer has no key", { customerKey: 'a', byKey: unattributed, click, ofClick }, locked(unattributed)],
		['an unknown key is given to that one', { customerKey: 'b', click, ofClick }, known(ofClick, 'b')],
		['also once the click attributes nothing any more', { customerKey: 'b', ofClick }, known(ofClick, 'b')],
		[
			'and to no further one',
			{ customerKey: 'b', click, ofClick: { ...ofClick, customerKey: 'a' } },
			locked({ ...ofClick, customerKey: 'a' }),
		],
		['a second lead of the click is none', { click, ofClick }, locked(ofClick)],
		['but where there was none yet', { click, ofClick: { ...ofClick, status: 'click' } }, known({ ...ofClick, status: 'click' })],
		['also where the customer has a key', { click, ofClick: { ...ofClick, customerKey: 'a' } }, locked({ ...ofClick, customerKey: 'a' })],
		['without a click of the program there is nobody', { customerKey: 'b' }, nobody],
		['nor without anything', {}, nobody],
	])('%s', (_what, evidence, identity) => {
		expect(identifyVisitor({ ...nothing, ...evidence })).toEqual(identity);
	});
});

describe('beyond the limit of further customers', () => {
	const at = { ...click, customers: FURTHER_CUSTOMERS };
	const beyond = { ...click, customers: FURTHER_CUSTOMERS + 1 };
	const other = { ...ofClick, customerKey: 'a' };

	test('a click attributes leads up to it', () => {
		expect(identifyLead({ ...nothing, customerKey: 'b', click: at, ofClick: other })).toEqual(newOne('b', at));
		expect(identifyLead({ ...nothing, customerKey: 'b', click: beyond, ofClick: other })).toEqual(newOne('b'));
		expect(identifyLead({ ...nothing, customerKey: 'a', byKey: unattributed, click: at })).toEqual(known(unattributed, undefined, at));
		expect(identifyLead({ ...nothing, customerKey: 'a', byKey: unattributed, click: beyond })).toEqual(known(unattributed));
	});

	test('its own customer is still found, and named', () => {
		expect(identifyLead({ ...nothing, click: beyond, ofClick: other })).toEqual(known(other));
		expect(identifyLead({ ...nothing, customerKey: 'b', click: beyond, ofClick })).toEqual(known(ofClick, 'b'));
	});

	test('a lead without click knows no limit', () => {
		expect(identifyLead({ ...nothing, customerKey: 'b' })).toEqual(newOne('b'));
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
