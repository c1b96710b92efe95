import type { FoundClick } from '../../src/domain/attribution/attribution.ts';
import { DAY_MS } from '../../src/domain/calendar.ts';
import type { RuleTerms } from '../../src/domain/commissions/commission.ts';
import type { Sale } from '../../src/domain/commissions/sale.ts';
import {
	type Buyer,
	decideSale,
	type KnownOfSale,
	type SellingPartner,
	type SellingProgram,
	type SoldAt,
} from '../../src/domain/commissions/sale-decision.ts';

export const CLICKED = Date.UTC(2026, 9, 1, 12);
export const NOW = CLICKED + 10 * DAY_MS;

export const program: SellingProgram = {
	id: 1,
	currency: 'USD',
	cookieWindowDays: 30,
	timeZone: 'UTC',
	couponWins: false,
	rulesByLine: false,
};
export const rule: RuleTerms = {
	ruleVersionId: 1,
	scope: 'default',
	type: 'percent',
	basisPoints: 2_000,
	amountCents: null,
	currency: null,
	recurringMonths: null,
	holdDays: 0,
};
export const partner: SellingPartner = { partnerProgramId: 7, status: 'active', rules: [rule] };
/** The partner of the second click. */
export const rival: SellingPartner = { ...partner, partnerProgramId: 8, rules: [{ ...rule, ruleVersionId: 2 }] };

export const buyer: Buyer = {
	id: 5,
	programId: 1,
	revision: 3,
	status: 'lead',
	customerKey: 'a',
	clickId: 'cust_1_1',
	partnerProgramId: 7,
	clickedAt: CLICKED,
};
export const unattributed: Buyer = { ...buyer, clickId: null, partnerProgramId: null, clickedAt: null };
export const click: FoundClick = {
	clickId: 'cust_2_2',
	clickedAt: CLICKED + DAY_MS,
	referralLinkId: 9,
	programId: 1,
	partnerProgramId: 8,
	customers: 0,
};
export const ofClick: Buyer = { ...buyer, id: 6, customerKey: null, clickId: 'cust_2_2', partnerProgramId: 8, clickedAt: CLICKED + DAY_MS };

export const sale: Sale = {
	transactionId: 'txn',
	amountCents: 10_000,
	currency: undefined,
	customerKey: 'a',
	clickId: undefined,
	saleType: 'payment',
	isRecurring: false,
	subscriptionId: undefined,
	subscriptionInterval: undefined,
	productId: undefined,
	lineItems: undefined,
};

export type Known = KnownOfSale<Buyer>;
export const nothing: Known = {
	byKey: undefined,
	click: undefined,
	ofClick: undefined,
	partners: [partner, rival],
	renewed: [],
	subscription: undefined,
};
export const knownKey: Known = { ...nothing, byKey: buyer };

/** What differs from a sale of 100.00 to a known customer that is paid when it is recorded. */
export interface Case {
	readonly of?: Partial<SellingProgram>;
	readonly sale?: Partial<Sale>;
	readonly known?: Partial<Known>;
	readonly at?: Partial<SoldAt>;
}

export function decide({ of, sale: reported, known, at }: Case) {
	const soldAt = { now: NOW, paidAt: at?.now ?? NOW, carriesKeys: false, ...at };
	return decideSale({ ...program, ...of }, { ...sale, ...reported }, { ...knownKey, ...known }, soldAt);
}

export function sold(asked: Case) {
	const decision = decide(asked);
	if (decision.kind !== 'sold') throw new Error(`Not sold: ${JSON.stringify(decision)}`);
	return decision;
}

export const began = { beganAt: null, trialBeganAt: null, carriesKeys: false };
