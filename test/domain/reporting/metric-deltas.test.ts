import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AttributedClick, Identity } from '../../../src/domain/attribution/attribution.ts';
import {
	type CountedCommission,
	type DatedCustomer,
	type MetricDelta,
	deltasOfCustomer,
	deltasOfDuplicate,
	deltasOfLateCommission,
	deltasOfRefund,
	deltasOfRejection,
	deltasOfSale,
} from '../../../src/domain/reporting/metric-deltas.ts';

const CLICK: AttributedClick = { clickId: 'click', clickedAt: 1, referralLinkId: 1, partnerProgramId: 1, customers: 0 };
const CUSTOMER: DatedCustomer = { id: 1, revision: 0, status: 'lead', customerKey: 'key', clickId: null, signupDate: '2026-05-01' };
const NEW = { kind: 'new', customerKey: 'key', click: CLICK } as const;
const known = (customer: Partial<DatedCustomer> = {}, newClick?: AttributedClick): Identity<DatedCustomer> => ({
	kind: 'known',
	customer: { ...CUSTOMER, ...customer },
	newKey: undefined,
	newClick,
});

describe('a customer', () => {
	const signsUp = { status: 'lead', signupDay: '2026-05-02', purchaseDay: undefined } as const;
	const isReportedAgain = { status: 'lead', signupDay: undefined, purchaseDay: undefined } as const;
	const buys = { status: 'conversion', signupDay: undefined, purchaseDay: '2026-05-02' } as const;
	const buysAgain = { ...buys, purchaseDay: undefined };
	const lead: MetricDelta = { day: '2026-05-02', leads: 1, openLeads: 1 };
	const taken: MetricDelta = { day: '2026-05-01', leads: 1, onlyValues: true };
	const noMore: MetricDelta = { day: '2026-05-01', openLeads: -1 };
	const bought: MetricDelta = { day: '2026-05-02', conversions: 1 };

	test.each<[string, Identity<DatedCustomer>, Parameters<typeof deltasOfCustomer>[1], MetricDelta[]]>([
		['a new customer signs up', NEW, signsUp, [lead]],
		['a customer known only by a click signs up', known({ status: 'click', signupDate: null }), signsUp, [lead]],
		['a customer without a sign-up takes a click with the lead', known({ status: 'click', signupDate: null }, CLICK), signsUp, [lead]],
		['a buyer signs up', NEW, { ...signsUp, status: 'conversion' }, [{ day: '2026-05-02', leads: 1, openLeads: 0 }]],
		['a lead is reported again', known(), isReportedAgain, []],
		['a lead takes a click', known({}, CLICK), isReportedAgain, [taken]],
		['a new customer buys', NEW, buys, [bought]],
		['a customer without a sign-up buys', known({ status: 'click', signupDate: null }), buys, [bought]],
		['a lead buys', known(), buys, [noMore, bought]],
		['a lead without a day buys', known({ signupDate: null }, CLICK), buys, [bought]],
		['a lead takes a click and buys', known({}, CLICK), buys, [taken, noMore, bought]],
		['a buyer buys again', known({ status: 'conversion' }), buysAgain, []],
	])('%s', (_what, identity, facts, moves) => {
		expect(deltasOfCustomer(identity, facts)).toEqual(moves);
	});
});

const SALE = { saleDay: '2026-05-02', currency: 'USD', amountCents: 1_000, refundedCents: 400 };
const COMMISSION: CountedCommission = { createdDay: '2026-05-03', status: 'refunded', amountCents: 200, deductedCents: 80 };
const ofSale = { day: '2026-05-02', currency: 'USD' };
const ofCommission = { day: '2026-05-03', currency: 'USD' };

describe('a sale', () => {
	test('counts on its day, with its commission', () => {
		expect(deltasOfSale(SALE, undefined)).toStrictEqual([{ ...ofSale, sales: 1, revenueCents: 1_000 }]);
		expect(deltasOfSale(SALE, 0)).toEqual([{ ...ofSale, sales: 1, revenueCents: 1_000, commissionCents: 0 }]);
		expect(deltasOfSale(SALE, 200)).toEqual([{ ...ofSale, sales: 1, revenueCents: 1_000, commissionCents: 200 }]);
	});

	test('counts a refund on its own day, and the deduction on the day of the commission', () => {
		const after = { refundedCents: 1_000, deductionCents: 120 };
		expect(deltasOfRefund(SALE, undefined, after)).toEqual([{ ...ofSale, refundedCents: 600 }]);
		expect(deltasOfRefund(SALE, COMMISSION, after)).toEqual([
			{ ...ofSale, refundedCents: 600 },
			{ ...ofCommission, deductedCents: 120 },
		]);
	});

	test('counts a reinstatement by the reduced amount', () => {
		expect(deltasOfRefund(SALE, COMMISSION, { refundedCents: 0, deductionCents: -80 })).toEqual([
			{ ...ofSale, refundedCents: -400 },
			{ ...ofCommission, deductedCents: -80 },
		]);
	});

	test('that is a duplicate removes everything that it counted', () => {
		const gone = { ...ofSale, sales: -1, revenueCents: -1_000, refundedCents: -400 };
		expect(deltasOfDuplicate(SALE, undefined)).toEqual([gone]);
		expect(deltasOfDuplicate(SALE, COMMISSION)).toEqual([gone, { ...ofCommission, commissionCents: -200, deductedCents: -80 }]);
		expect(deltasOfDuplicate(SALE, { ...COMMISSION, status: 'rejected' })).toEqual([
			gone,
			{ ...ofCommission, commissionCents: -200, deductedCents: -200 },
		]);
	});
});

describe('a commission', () => {
	test('that is added late counts on its own day, less what was refunded', () => {
		expect(deltasOfLateCommission('2026-05-03', 'EUR', 200, 80)).toEqual([
			{ day: '2026-05-03', currency: 'EUR', commissionCents: 200, deductedCents: 80 },
		]);
	});

	test('that is rejected is removed completely, once', () => {
		const commission = { ...COMMISSION, partnerProgramId: 7 };
		const refunded = { refundedCount: -1, refundedAmountCents: -200, refundedDeductedCents: -80 };
		const sums = { rejectedCount: 1, rejectedAmountCents: 200, rejectedDeductedCents: 80, ...refunded };
		expect(deltasOfRejection('USD', commission)).toEqual([
			{ ...ofCommission, deductedCents: 120 },
			{ ...ofCommission, partnerProgramId: 7, sums },
		]);
		expect(deltasOfRejection('USD', { ...commission, status: 'rejected' })).toEqual([{ ...ofCommission, deductedCents: 0 }]);
	});
});

// After any history of a customer, the sum of its deltas must equal the metrics of its state.

interface State {
	customer: DatedCustomer | undefined;
	purchaseDay: string | undefined;
	readonly sales: {
		saleDay: string;
		currency: string;
		amountCents: number;
		refundedCents: number;
		isDuplicate: boolean;
		commission?: Earned;
	}[];
}
interface Earned {
	readonly partnerProgramId: number;
	createdDay: string;
	status: CountedCommission['status'];
	amountCents: number;
	deductedCents: number;
}

const day = fc.constantFrom('2026-05-01', '2026-05-02', '2026-05-03');
const which = fc.nat(5);
const change = fc.oneof(
	fc.record({ kind: fc.constant('lead' as const), day, byClick: fc.boolean() }),
	fc.record({
		kind: fc.constant('sale' as const),
		day,
		byClick: fc.boolean(),
		currency: fc.constantFrom('USD', 'EUR'),
		amountCents: fc.integer({ min: 1, max: 10_000 }),
		earns: fc.boolean(),
	}),
	fc.record({ kind: fc.constant('refund' as const), which, part: fc.constantFrom(0, 0.3, 1) }),
	fc.record({ kind: fc.constant('late commission' as const), which, day }),
	fc.record({ kind: fc.constant('rejection' as const), which }),
	fc.record({ kind: fc.constant('duplicate' as const), which }),
);
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

const partOf = (cents: number, part: number) => Math.floor(cents * part);

/** Returns the change's deltas. */
function take(state: State, taken: Change): MetricDelta[] {
	if (taken.kind === 'lead') return signUp(state, taken.day, taken.byClick);
	if (taken.kind === 'sale') return buy(state, taken);
	const sale = state.sales[taken.which % Math.max(state.sales.length, 1)];
	if (!sale || sale.isDuplicate) return [];
	const { commission, currency } = sale;
	switch (taken.kind) {
		case 'refund': {
			const refundedCents = partOf(sale.amountCents, taken.part);
			const takes = commission && commission.status !== 'rejected' ? commission : undefined;
			const deductionCents = takes ? partOf(takes.amountCents, taken.part) - takes.deductedCents : 0;
			const moves = deltasOfRefund(sale, takes, { refundedCents, deductionCents });
			sale.refundedCents = refundedCents;
			if (takes) takes.deductedCents += deductionCents;
			return moves;
		}
		case 'late commission': {
			if (commission) return [];
			const amountCents = partOf(sale.amountCents, 0.2);
			const deductedCents = partOf(amountCents, sale.refundedCents / sale.amountCents);
			sale.commission = { partnerProgramId: 7, createdDay: taken.day, status: 'approved', amountCents, deductedCents };
			return deltasOfLateCommission(taken.day, currency, amountCents, deductedCents);
		}
		case 'rejection': {
			if (!commission) return [];
			const moves = deltasOfRejection(currency, commission);
			commission.status = 'rejected';
			return moves;
		}
		case 'duplicate':
			sale.isDuplicate = true;
			return deltasOfDuplicate(sale, commission);
	}
}

function identityOf({ customer }: State, byClick: boolean): Identity<DatedCustomer> {
	if (!customer) return { kind: 'new', customerKey: 'key', click: byClick ? CLICK : undefined };
	const takesClick = byClick && customer.clickId === null && customer.status !== 'conversion';
	return { kind: 'known', customer, newKey: undefined, newClick: takesClick ? CLICK : undefined };
}

function become(state: State, identity: Identity<DatedCustomer>, facts: Partial<DatedCustomer>): void {
	const click = identity.kind === 'new' ? identity.click : identity.newClick;
	const before = identity.kind === 'known' ? identity.customer : { ...CUSTOMER, signupDate: null };
	state.customer = { ...before, ...facts, clickId: before.clickId ?? click?.clickId ?? null };
}

function signUp(state: State, signupDay: string, byClick: boolean): MetricDelta[] {
	const identity = identityOf(state, byClick);
	const isKnown = identity.kind === 'known';
	const status = isKnown ? identity.customer.status : 'lead';
	const facts = { status, signupDay: isKnown ? undefined : signupDay, purchaseDay: undefined };
	become(state, identity, isKnown ? {} : { status, signupDate: signupDay });
	return deltasOfCustomer(identity, facts);
}

function buy(state: State, { day: saleDay, byClick, currency, amountCents, earns }: Extract<Change, { kind: 'sale' }>): MetricDelta[] {
	const identity = identityOf(state, byClick);
	const purchaseDay = state.purchaseDay === undefined ? saleDay : undefined;
	const amount = partOf(amountCents, 0.2);
	become(state, identity, { status: 'conversion' });
	state.purchaseDay ??= saleDay;
	const commission: Earned = { partnerProgramId: 7, createdDay: saleDay, status: 'approved', amountCents: amount, deductedCents: 0 };
	const sale = { saleDay, currency, amountCents, refundedCents: 0, isDuplicate: false };
	state.sales.push(earns ? { ...sale, commission } : sale);
	return [
		...deltasOfCustomer(identity, { status: 'conversion', signupDay: undefined, purchaseDay }),
		...deltasOfSale({ saleDay, currency, amountCents }, earns ? amount : undefined),
	];
}

/** Independent of the service. */
function figuresIn({ customer, purchaseDay, sales }: State): MetricDelta[] {
	const found: MetricDelta[] = [];
	if (customer?.signupDate) found.push({ day: customer.signupDate, leads: 1, openLeads: customer.status === 'lead' ? 1 : 0 });
	if (purchaseDay !== undefined) found.push({ day: purchaseDay, conversions: 1 });
	for (const { saleDay, currency, amountCents, refundedCents, isDuplicate, commission } of sales) {
		if (isDuplicate) continue;
		found.push({ day: saleDay, currency, sales: 1, revenueCents: amountCents, refundedCents });
		if (!commission) continue;
		const deductedCents = commission.status === 'rejected' ? commission.amountCents : commission.deductedCents;
		found.push({ day: commission.createdDay, currency, commissionCents: commission.amountCents, deductedCents });
	}
	return found;
}

const FIGURES = [
	'leads',
	'openLeads',
	'conversions',
	'partners',
	'sales',
	'revenueCents',
	'refundedCents',
	'commissionCents',
	'deductedCents',
] as const;

/** Sums by day, currency and metric, without zeros. */
function sumOf(moves: readonly MetricDelta[], figures: readonly (typeof FIGURES)[number][] = FIGURES): Record<string, number> {
	const sums = new Map<string, number>();
	for (const move of moves)
		for (const figure of figures) {
			const key = `${move.day} ${move.currency ?? 'own'} ${figure}`;
			sums.set(key, (sums.get(key) ?? 0) + (move[figure] ?? 0));
		}
	return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0).toSorted());
}

test('the deltas of a history add up to what the customer has, in total and under its link', () => {
	const brokenDown = FIGURES.filter((figure) => figure !== 'openLeads');
	fc.assert(
		fc.property(fc.array(change, { maxLength: 15 }), (changes) => {
			const state: State = { customer: undefined, purchaseDay: undefined, sales: [] };
			const inAll: MetricDelta[] = [];
			const underLink: MetricDelta[] = [];
			for (const each of changes) {
				const moves = take(state, each);
				inAll.push(...moves.filter(({ onlyValues }) => !onlyValues));
				// Deltas count for the link that the customer has after the change.
				if (state.customer?.clickId) underLink.push(...moves);
				expect(sumOf(inAll)).toEqual(sumOf(figuresIn(state)));
				expect(sumOf(underLink, brokenDown)).toEqual(state.customer?.clickId ? sumOf(figuresIn(state), brokenDown) : {});
			}
		}),
	);
});
