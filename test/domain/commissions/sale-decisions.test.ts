import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FoundClick } from '../../../src/domain/attribution/attribution.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../../../src/domain/calendar.ts';
import type { Buyer } from '../../../src/domain/commissions/sale-decision.ts';
import { buyer, click, CLICKED, decide, type Known, ofClick, partner, rival, rule } from '../../support/sale-cases.ts';

const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });

/** The decision, ignoring that another click came with the sale. */
function besidesClick(decision: ReturnType<typeof decide>) {
	return decision.kind === 'sold' ? { ...decision, facts: { ...decision.facts, hadOtherClick: false } } : decision;
}

describe('in any case,', () => {
	const instants = fc.integer({ min: CLICKED - 2 * HOUR_MS, max: CLICKED + 60 * DAY_MS });
	const maybeInstants = fc.option(instants);
	const attributions = fc.constantFrom(
		{ clickId: null, partnerProgramId: null, clickedAt: null },
		{ clickId: 'cust_1_1', partnerProgramId: 7, clickedAt: CLICKED },
		{ clickId: 'cust_2_2', partnerProgramId: 8, clickedAt: CLICKED + DAY_MS },
	);
	const buyers = fc
		.record({ of: attributions, status: fc.constantFrom('click' as const, 'lead' as const, 'conversion' as const) })
		.map(({ of, status }): Buyer => ({ ...buyer, ...of, status }));
	const clicks = fc
		.record({ programId: fc.constantFrom(1, 1, 2, null), partnerProgramId: fc.constantFrom(8, 8, 7, null) })
		.map((of): FoundClick => ({ ...click, ...of }));
	const partners = fc
		.record({ status: fc.constantFrom('active' as const, 'suspended' as const, 'ended' as const), months: fc.option(fc.nat(2)) })
		.map(({ status, months }) => ({ status, rules: [{ ...rule, recurringMonths: months }] }));
	const knowns: fc.Arbitrary<Known> = fc.record({
		byKey: maybe(buyers),
		click: maybe(clicks),
		ofClick: maybe(fc.constantFrom(ofClick, { ...ofClick, customerKey: 'b' }, { ...ofClick, programId: 2 })),
		partners: fc.tuple(partners, partners).map(([a, b]) => [
			{ ...partner, ...a },
			{ ...rival, ...b },
		]),
		renewed: fc.subarray([
			{ customerId: 5, firstDay: '2026-10-02' },
			{ customerId: 6, firstDay: '2026-10-03' },
		]),
		subscription: maybe(fc.record({ beganAt: maybeInstants, trialBeganAt: maybeInstants, carriesKeys: fc.boolean() })),
	});
	const cases = fc.record({
		sale: fc.record({
			customerKey: maybe(fc.constant('a')),
			subscriptionId: maybe(fc.constant('sub')),
			currency: maybe(fc.constant('EUR')),
		}),
		known: knowns,
		at: fc.record({ now: instants, paidAt: instants, carriesKeys: fc.boolean() }),
	});

	test('a recorded sale has a partner of the program who has not ended, and that partner earns', () => {
		fc.assert(
			fc.property(cases, (asked) => {
				const decision = decide(asked);
				if (decision.kind !== 'sold') return;
				const seller = asked.known.partners.find(({ partnerProgramId }) => partnerProgramId === decision.partnerProgramId);
				expect(seller?.status).not.toBe('ended');
				if (seller?.status === 'suspended') expect(decision.earning).toEqual({ kind: 'none', reason: 'partner_suspended' });
				expect(decision.saleDay).toBe(dayOf(asked.at.now, 'UTC'));
				expect(decision.currency).toBe(asked.sale.currency ?? 'USD');
			}),
		);
	});

	test('a known key keeps its partner, whatever click comes with it', () => {
		fc.assert(
			fc.property(cases, buyers, (asked, byKey) => {
				const decision = decide({ ...asked, known: { ...asked.known, byKey } });
				const alone = decide({ ...asked, known: { ...asked.known, byKey, click: undefined, ofClick: undefined } });
				if (byKey.partnerProgramId !== null) expect(besidesClick(decision)).toEqual(besidesClick(alone));
			}),
		);
	});

	test('a sale is inside the window if it was paid there, or tried there by a subscription with keys; otherwise it earns only as a renewal', () => {
		fc.assert(
			fc.property(cases, (asked) => {
				const decision = decide(asked);
				if (decision.kind !== 'sold') return;
				const { identity, insideWindow, earning } = decision;
				const clickedAt = identity.kind === 'known' ? (identity.customer.clickedAt ?? click.clickedAt) : click.clickedAt;
				const { subscription, renewed } = asked.known;
				const trial = asked.at.carriesKeys || subscription?.carriesKeys === true ? subscription?.trialBeganAt : undefined;
				const moments = [asked.at.paidAt, trial ?? asked.at.paidAt];
				expect(moments.some((moment) => moment - clickedAt <= 30 * DAY_MS)).toBe(insideWindow);
				const renews = identity.kind === 'known' && renewed.some(({ customerId }) => customerId === identity.customer.id);
				if (!insideWindow && !renews) expect(earning.kind).toBe('none');
			}),
		);
	});

	test('a trial of a subscription without keys does not count', () => {
		fc.assert(
			fc.property(cases, maybeInstants, (asked, trialBeganAt) => {
				const decisionOf = (began: number | null) => {
					const subscription = { beganAt: null, ...asked.known.subscription, trialBeganAt: began, carriesKeys: false };
					return decide({ ...asked, known: { ...asked.known, subscription }, at: { ...asked.at, carriesKeys: false } });
				};
				expect(decisionOf(trialBeganAt)).toEqual(decisionOf(null));
			}),
		);
	});

	test('other partners do not affect it', () => {
		fc.assert(
			fc.property(cases, (asked) => {
				const decision = decide(asked);
				if (decision.kind !== 'sold') return;
				const own = asked.known.partners.filter(({ partnerProgramId }) => partnerProgramId === decision.partnerProgramId);
				expect(decide({ ...asked, known: { ...asked.known, partners: own } })).toEqual(decision);
			}),
		);
	});

	test('other programs matter only if no id is known here', () => {
		fc.assert(
			fc.property(cases, (asked) => {
				const { byKey, click: came, ofClick: first } = asked.known;
				const isOfNobody = !byKey && !came && first?.programId !== 1;
				const isNamed = first?.programId === 1 && first.customerKey === 'b' && asked.sale.customerKey !== undefined && !byKey && !came;
				expect(decide(asked).kind === 'unknown').toBe(asked.sale.customerKey !== undefined && (isOfNobody || isNamed));
			}),
		);
	});
});
