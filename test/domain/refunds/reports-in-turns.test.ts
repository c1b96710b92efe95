import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PaidSale, refundedOf, type ReportedReversal, reportedWith } from '../../../src/domain/refunds/refunded-amount.ts';
import { proportionOf } from '../../../src/domain/money.ts';
import { planMovement, planRefund, type RefundableCommission, type RefundableSale } from '../../../src/domain/refunds/reversal.ts';
import { dispute, disputed, refund, SALE, total } from '../../support/reversals.ts';

// Reports about a charge lead to the same result in any order, and when repeated (decisions 14, 16 and 19).

/** Refunds (some of which fail), disputes, and total amounts at any time. */
const story = fc
	.record({
		refunds: fc.array(fc.record({ cents: fc.integer({ min: 1, max: 4_000 }), fails: fc.boolean(), at: fc.nat(50), later: fc.nat(50) }), {
			maxLength: 5,
		}),
		// Each dispute event says whether the dispute is won at that time. If two have the same time, the won one counts.
		disputes: fc.array(
			fc.record({
				cents: fc.integer({ min: 1, max: 4_000 }),
				words: fc.array(fc.record({ at: fc.nat(9), won: fc.boolean() }), { minLength: 1, maxLength: 5 }),
			}),
			{ maxLength: 2 },
		),
		totals: fc.array(fc.nat(100), { maxLength: 4 }),
	})
	.map(({ refunds, disputes, totals }) => {
		// Refunds happen at even instants and are undone at odd ones. Totals have instants of their own, so the order is never ambiguous.
		const made = refunds.map(({ cents, fails, at, later }, index) => {
			const happenedAt = at * 10;
			return refund(`r${index}`, cents, happenedAt, fails ? happenedAt + later * 10 + 5 : null);
		});
		const reported = disputes.flatMap(({ cents, words }, index) =>
			words.map(({ at, won }) => disputed(`d${index}`, cents, won ? { undoneAt: at } : { stoodAt: at })),
		);
		const standing = disputes.filter(({ words }) => {
			const latest = Math.max(...words.map(({ at }) => at));
			return !words.some(({ at, won }) => won && at === latest);
		});
		const charge = totals.map((moment) => {
			const at = moment * 10 + 2;
			const counting = made.filter(({ happenedAt, undoneAt }) => happenedAt < at && (undoneAt === null || undoneAt > at));
			return total('ch', sum(counting), at);
		});
		const disputedCents = standing.reduce((cents, one) => cents + one.cents, 0);
		const live = sum(made.filter(({ undoneAt }) => undoneAt === null)) + disputedCents;
		// A refund that fails may also have been reported before it failed.
		const before = made.map((reversal) => ({ ...reversal, undoneAt: null }));
		return { live, all: [...made, ...reported, ...charge], alsoReported: before };
	});

function sum(reversals: readonly { readonly amountCents: number }[]): number {
	return reversals.reduce((cents, { amountCents }) => cents + amountCents, 0);
}

const anySale = fc
	.record({ amountCents: fc.integer({ min: 1, max: 20_000 }), chargedCents: fc.integer({ min: 1, max: 20_000 }) })
	.map((sale): PaidSale => ({ ...sale, currency: 'USD', chargedCurrency: 'USD', reportedRefundCents: 0 }));

describe('for any history of a charge', () => {
	test('the complete reports, in any order and with repeats, leave the amount that still counts', () => {
		const reported = story.chain(({ live, all, alsoReported }) =>
			fc.record({ live: fc.constant(live), all: fc.constant(all), order: shuffledWithRepeats([...all, ...alsoReported], all) }),
		);
		fc.assert(
			fc.property(anySale, reported, (sale, { live, order }) => {
				const known = order.reduce((sofar: ReportedReversal[], reversal) => reportedWith(sofar, [reversal]), []);
				const { chargedCents } = sale;
				if (chargedCents === null) throw new Error('It was charged');
				expect(refundedOf(sale, known)).toBe(proportionOf(sale.amountCents, Math.min(live, chargedCents), chargedCents));
			}),
			{ numRuns: 3_000 },
		);
	});

	test('any reports, complete or not, lead to one result in any order and with repeats', () => {
		const kind = fc.constantFrom('refund' as const, 'dispute' as const, 'total' as const);
		const something = fc
			.record({
				kind,
				reversalId: fc.constantFrom('a:1', 'a:2', 'b:1'),
				amountCents: fc.nat(8_000),
				happenedAt: fc.nat(9),
				undoneAt: fc.option(fc.nat(9)),
				stoodAt: fc.option(fc.nat(9)),
				chargeId: fc.option(fc.constantFrom('a', 'b')),
				chargeCents: fc.option(fc.nat(8_000)),
			})
			.map((reported): ReportedReversal => ({ ...reported, currency: reported.reversalId === 'b:1' ? 'EUR' : 'USD' }));
		const orders = fc
			.array(something, { maxLength: 8 })
			.chain((all) => fc.record({ one: shuffledWithRepeats(all, all), other: shuffledWithRepeats(all, all) }));
		fc.assert(
			fc.property(anySale, fc.nat(20_000), orders, (sale, reported, { one, other }) => {
				const paid = { ...sale, reportedRefundCents: Math.min(reported, sale.amountCents) };
				const cents = refundedOf(paid, reportedWith([], one));
				expect(
					refundedOf(
						paid,
						other.reduce((sofar: ReportedReversal[], reversal) => reportedWith(sofar, [reversal]), []),
					),
				).toBe(cents);
				expect(cents).toBeGreaterThanOrEqual(0);
				expect(cents).toBeLessThanOrEqual(sale.amountCents);
			}),
			{ numRuns: 3_000 },
		);
	});
});

/** Everything in `all` at least once, and anything in `some` again, in any order. */
function shuffledWithRepeats<Thing>(some: readonly Thing[], all: readonly Thing[]): fc.Arbitrary<Thing[]> {
	const repeats = some.length === 0 ? fc.constant([]) : fc.array(fc.constantFrom(...some), { maxLength: 6 });
	return repeats.chain((again) => fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length }));
}

describe('the API and the processor report on the same sale alternately', () => {
	type ReportedSteps =
		| { readonly by: 'endpoint'; readonly refundId: string; readonly cents: number }
		| { readonly by: 'processor'; readonly reversal: ReportedReversal };

	/** Planned as the service does. */
	function after(sale: PaidSale, commissionCents: number, steps: readonly ReportedSteps[]) {
		let state: RefundableSale = {
			...sale,
			refundedCents: 0,
			reportedReversals: [],
			hasRefundWithId: false,
			hasRefundWithoutId: false,
			hasThisRefundId: false,
		};
		let commission: RefundableCommission = {
			amountCents: commissionCents,
			deductedCents: 0,
			status: 'approved',
			statusBeforeRefund: null,
			paidAt: null,
		};
		const seen = new Set<string>();
		for (const step of steps) {
			let movement;
			if (step.by === 'endpoint') {
				const request = { ...state, hasThisRefundId: seen.has(step.refundId), hasRefundWithId: seen.size > 0 };
				const plan = planRefund(request, commission, { amountCents: step.cents, refundId: step.refundId });
				if (plan.outcome === 'known') throw new Error('There is a commission');
				if (plan.reportedRefundCents !== undefined) seen.add(step.refundId);
				state = { ...state, reportedRefundCents: plan.reportedRefundCents ?? state.reportedRefundCents };
				movement = plan.outcome === 'skipped' ? undefined : plan;
			} else {
				const known = reportedWith(state.reportedReversals, [step.reversal]);
				state = { ...state, reportedReversals: known };
				movement = planMovement(state, commission, refundedOf(state, known));
			}
			if (!movement?.change) continue;
			const { status, statusBeforeRefund, deductionCents } = movement.change;
			expect(deductionCents).toBeGreaterThanOrEqual(0);
			const sign = movement.outcome === 'reinstated' ? -1 : 1;
			state = { ...state, refundedCents: movement.refundedCents };
			commission = { ...commission, status, statusBeforeRefund, deductedCents: commission.deductedCents + sign * deductionCents };
		}
		expect(state.refundedCents).toBe(refundedOf(state, state.reportedReversals));
		expect(commission.deductedCents).toBe(proportionOf(commissionCents, state.refundedCents, sale.amountCents));
		expect(commission.status === 'approved').toBe(state.refundedCents === 0);
		if (commission.status === 'reversed') expect(state.refundedCents).toBe(sale.amountCents);
		return state.refundedCents;
	}

	test('in any order the result is the same, and not above the larger of the two reports', () => {
		const reports = fc.array(fc.integer({ min: 1, max: 12_000 }), { maxLength: 3 });
		const steps = fc.record({ reports, story }).chain(({ reports: cents, story: { all } }) => {
			const reported: ReportedSteps[] = [
				...cents.map((each, index) => ({ by: 'endpoint', refundId: `e${index}`, cents: each }) as const),
				...all.map((reversal) => ({ by: 'processor', reversal }) as const),
			];
			return fc.record({
				one: shuffledWithRepeats(reported, reported),
				other: shuffledWithRepeats(reported, reported),
				reported: fc.constant(cents),
			});
		});
		fc.assert(
			fc.property(anySale, fc.nat(5_000), steps, (sale, commissionCents, { one, other, reported }) => {
				const cents = after(sale, commissionCents, one);
				expect(after(sale, commissionCents, other)).toBe(cents);
				const byProcessor = refundedOf(
					sale,
					reportedWith(
						[],
						one.flatMap((step) => (step.by === 'processor' ? [step.reversal] : [])),
					),
				);
				const byEndpoint = reported.reduce((sofar, each) => sofar + each, 0);
				expect(cents).toBeLessThanOrEqual(Math.max(byProcessor, Math.min(byEndpoint, sale.amountCents)));
			}),
			{ numRuns: 3_000 },
		);
	});

	test('a won dispute leaves what the API had reported before, in any order', () => {
		const reported: ReportedSteps = { by: 'endpoint', refundId: 'x', cents: 3_000 };
		const opened: ReportedSteps = { by: 'processor', reversal: dispute('d1', 10_000, 2) };
		const won: ReportedSteps = { by: 'processor', reversal: dispute('d1', 10_000, 2, 9) };
		const sale = { ...SALE, reportedRefundCents: 0 };
		for (const steps of [
			[reported, opened],
			[opened, reported],
		])
			expect(after(sale, 2_000, steps)).toBe(10_000);
		for (const steps of [
			[reported, opened, won],
			[opened, reported, won],
			[opened, won, reported],
			[won, reported],
		])
			expect(after(sale, 2_000, steps)).toBe(3_000);
	});

	test('25 then 50 of 100 leave a quarter of the commission, from either source', () => {
		const r1: ReportedSteps = { by: 'processor', reversal: refund('r1', 2_500, 1) };
		const r2: ReportedSteps = { by: 'processor', reversal: refund('r2', 5_000, 3) };
		const sofar: ReportedSteps = { by: 'processor', reversal: total('ch', 7_500, 4) };
		const reported: ReportedSteps = { by: 'endpoint', refundId: 'x', cents: 2_500 };
		for (const steps of [[r1, r2], [r1, sofar], [sofar, r1, r2], [sofar], [reported, r1, r2], [r2, reported, sofar, r1]]) {
			expect(after(SALE, 2_000, steps)).toBe(7_500);
		}
	});
});
