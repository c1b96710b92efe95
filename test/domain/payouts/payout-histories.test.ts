import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	type Account,
	choosePayable,
	paidOf,
	type PayableCommission,
	remainderOf,
	balanceOf,
	surplusOf,
} from '../../../src/domain/payouts/payout.ts';

// After any history of an account, the domain's results equal those derived from its entries alone.

const NOW = 1_000;
const LATER = 2_000;

/** `moved` is the change of the balance, `nominal` the change of what the commission has left. */
interface Entry {
	readonly kind: 'credit' | 'reversal' | 'reinstatement' | 'rejection' | 'payout' | 'beside';
	readonly of: number;
	readonly nominal: number;
	readonly moved: number;
}

type Happening =
	| { readonly kind: 'earn'; readonly cents: number; readonly isHeld: boolean }
	| { readonly kind: 'release' | 'reinstate' | 'reject'; readonly of: number }
	| { readonly kind: 'refund'; readonly of: number; readonly share: number }
	| { readonly kind: 'pay'; readonly of: readonly number[] | undefined };

const which = fc.nat({ max: 5 });
const happening: fc.Arbitrary<Happening> = fc.oneof(
	fc.record({ kind: fc.constant('earn' as const), cents: fc.nat({ max: 100 }), isHeld: fc.boolean() }),
	fc.record({ kind: fc.constantFrom('release' as const, 'reinstate' as const, 'reject' as const), of: which }),
	fc.record({ kind: fc.constant('refund' as const), of: which, share: fc.integer({ min: 1, max: 4 }) }),
	fc.record({ kind: fc.constant('pay' as const), of: fc.option(fc.array(which, { maxLength: 3 }), { nil: undefined }) }),
);

class Books {
	readonly entries: Entry[] = [];
	readonly commissions: PayableCommission[] = [];
	paidOut = 0;

	get balance(): number {
		return sum(this.entries, ({ moved }) => moved);
	}

	/** According to the entries alone: nothing if it was paid or rejected. */
	restOf(id: number): number {
		const own = this.entries.filter(({ of }) => of === id);
		return own.some(({ kind }) => kind === 'payout' || kind === 'rejection') ? 0 : sum(own, ({ nominal }) => nominal);
	}

	get surplus(): number {
		return this.balance - sum(this.commissions, ({ id }) => this.restOf(id));
	}

	/** Clamps have forgiven it, and no reinstatement has withheld it since. */
	get forgiven(): number {
		const clampable = this.entries.filter(({ kind }) => kind === 'reversal' || kind === 'reinstatement');
		return sum(clampable, ({ moved, nominal }) => moved - nominal);
	}

	get earned(): number {
		return sum(
			this.entries.filter(({ kind }) => kind !== 'payout' && kind !== 'beside'),
			({ nominal }) => nominal,
		);
	}

	get held(): number {
		return sum(this.commissions.filter(isOnHold), ({ id }) => this.restOf(id));
	}

	get account(): Account {
		const unpaid = this.commissions.filter(({ paidAt, status }) => paidAt === null && status !== 'rejected');
		return { partnerProgramId: 1, currency: 'USD', balanceCents: this.balance, unpaidCents: sum(unpaid, remainderOf) };
	}

	happen(event: Happening): void {
		if (event.kind === 'earn') return this.#earn(event.cents, event.isHeld);
		if (event.kind === 'pay') return this.#pay(event.of);
		const commission = this.commissions[event.of];
		if (!commission) return;
		if (event.kind === 'release' && commission.status === 'pending') this.#change(commission, { status: 'approved' });
		if (event.kind === 'refund') this.#refund(commission, event.share);
		if (event.kind === 'reinstate') this.#reinstate(commission);
		if (event.kind === 'reject') this.#reject(commission);
	}

	#earn(amountCents: number, isHeld: boolean): void {
		const id = this.commissions.length;
		const status = isHeld ? 'pending' : 'approved';
		const holdUntil = isHeld ? LATER : 0;
		this.commissions.push({
			id,
			status,
			amountCents,
			holdUntil,
			deductedCents: 0,
			statusBeforeRefund: null,
			paidAt: null,
			partnerProgramId: 1,
			currency: 'USD',
		});
		this.#enter('credit', id, amountCents);
	}

	#refund(commission: PayableCommission, share: number): void {
		const { status, paidAt, statusBeforeRefund } = commission;
		if (status === 'rejected' || status === 'reversed') return;
		const cents = Math.ceil(remainderOf(commission) / share);
		const before = statusBeforeRefund ?? (status === 'refunded' ? null : status);
		this.#change(commission, { status: 'refunded', statusBeforeRefund: before, deductedCents: commission.deductedCents + cents });
		// The clamp as the contract defines it.
		this.#enter('reversal', commission.id, -cents, paidAt === null ? -Math.min(cents, Math.max(this.balance, 0)) : -cents);
	}

	#reinstate(commission: PayableCommission): void {
		const { status, statusBeforeRefund, deductedCents, paidAt } = commission;
		if (status !== 'refunded' || statusBeforeRefund === null) return;
		this.#change(commission, { status: paidAt === null ? statusBeforeRefund : 'paid', statusBeforeRefund: null, deductedCents: 0 });
		this.#enter('reinstatement', commission.id, deductedCents, deductedCents - Math.min(deductedCents, this.forgiven));
	}

	#reject(commission: PayableCommission): void {
		const { status, paidAt } = commission;
		if (paidAt !== null || !['pending', 'approved', 'refunded'].includes(status)) return;
		this.#change(commission, { status: 'rejected', statusBeforeRefund: null });
		this.#enter('rejection', commission.id, -remainderOf(commission));
	}

	#pay(indexes: readonly number[] | undefined): void {
		const { commissions: payable } = choosePayable(this.commissions, [this.account], 0, NOW);
		const chosen = indexes ? payable.filter(({ id }) => indexes.includes(id)) : payable;
		if (chosen.length === 0 && (indexes !== undefined || this.surplus <= 0)) return;
		const rest = sum(chosen, remainderOf);
		const paid = paidOf(rest, surplusOf(this.account));
		for (const commission of chosen) {
			this.#change(commission, { paidAt: NOW, status: commission.status === 'approved' ? 'paid' : commission.status });
			this.#enter('payout', commission.id, -remainderOf(commission));
		}
		this.#enter('beside', -1, rest - paid);
		this.paidOut += paid;
	}

	#change(commission: PayableCommission, fields: Partial<PayableCommission>): void {
		this.commissions[commission.id] = { ...commission, ...fields };
	}

	#enter(kind: Entry['kind'], of: number, nominal: number, moved = nominal): void {
		this.entries.push({ kind, of, nominal, moved });
	}
}

function isOnHold({ status, statusBeforeRefund }: PayableCommission): boolean {
	return status === 'pending' || (status === 'refunded' && statusBeforeRefund === 'pending');
}

function sum<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
	return items.reduce((total, item) => total + valueOf(item), 0);
}

/** Only a refund of a paid commission creates a debt. */
function expectLawful(event: Happening, books: Books, before: { surplus: number; wasPaid: boolean; paidOut: number }): void {
	const change = books.surplus - before.surplus;
	if (event.kind === 'earn' || event.kind === 'release' || event.kind === 'reject') expect(change).toBe(0);
	if (event.kind === 'refund' && !before.wasPaid) expect(books.surplus).toBeLessThanOrEqual(Math.max(before.surplus, 0));
	if (event.kind === 'pay') {
		// A payout recovers a debt or pays a surplus, but never turns one into the other.
		expect(Math.abs(books.surplus)).toBeLessThanOrEqual(Math.abs(before.surplus));
		expect(books.surplus * before.surplus).toBeGreaterThanOrEqual(0);
		if (books.surplus < 0) expect(books.paidOut).toBe(before.paidOut);
	}
}

test('available, pending, debt and surplus follow from the entries, and paying everything leaves only debt', () => {
	fc.assert(
		fc.property(fc.array(happening, { maxLength: 30 }), (happenings) => {
			const books = new Books();
			for (const event of happenings) {
				const subject = 'of' in event && typeof event.of === 'number' ? books.commissions[event.of] : undefined;
				const before = { surplus: books.surplus, wasPaid: (subject?.paidAt ?? null) !== null, paidOut: books.paidOut };
				books.happen(event);
				expectLawful(event, books, before);

				const { balance, surplus, held } = books;
				expect(books.paidOut + balance).toBe(books.earned + books.forgiven);
				// While a forgiven amount remains, there is no surplus, because reinstatements are withheld first.
				if (books.forgiven > 0) expect(surplus).toBeLessThanOrEqual(0);
				expect(surplusOf(books.account)).toBe(surplus);
				const { availableCents, pendingCents, debtCents } = balanceOf(balance, held);
				expect(Math.min(availableCents, pendingCents, debtCents)).toBeGreaterThanOrEqual(0);
				expect(availableCents + pendingCents - debtCents).toBe(balance);
				const { commissions } = choosePayable(books.commissions, [books.account], 0, NOW);
				expect(availableCents).toBe(paidOf(sum(commissions, remainderOf), surplus));
			}
			const { availableCents } = balanceOf(books.balance, books.held);
			const { paidOut } = books;
			books.happen({ kind: 'pay', of: undefined });
			expect(books.paidOut - paidOut).toBe(availableCents);
			expect(balanceOf(books.balance, books.held).availableCents).toBe(0);
			expect(books.surplus).toBeLessThanOrEqual(0);
			books.happen({ kind: 'pay', of: undefined });
			expect(books.paidOut - paidOut).toBe(availableCents);
		}),
		{ numRuns: 2_000 },
	);
});
