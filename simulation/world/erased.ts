import { createHmac } from 'node:crypto';
import type { ClickRow } from './rows-of-clicks.ts';
import type { CustomerRow, RefundRow, Rows, SaleRow } from './rows.ts';
import { SECRET } from './world.ts';

type Names = Pick<CustomerRow, 'customer_key' | 'click_id' | 'email_hash'>;

export function isPseudonym(id: string | null): boolean {
	return id?.startsWith('erased_') === true;
}

/** Lets invariants compare rows with what clients sent. invariants/erasures.ts checks what is really stored. */
export class Erased {
	readonly #customers = new Map<number, Names>();
	readonly #clicks = new Map<number, Pick<ClickRow, 'click_id' | 'referrer_url' | 'sub_id'>>();
	readonly #sales = new Map<number, Pick<SaleRow, 'line_items' | 'processor_event_id' | 'subscription_id'>>();
	readonly #refunds = new Map<number, string | null>();
	/** The refund ids that clients sent, by pseudonym. */
	readonly #refundIds = new Map<string | null, string>();
	/** The click ids whose erasure somebody asked for, by hash. */
	readonly #requested = new Map<string, string>();
	readonly #stored = new WeakMap<CustomerRow, CustomerRow>();
	#isAny = false;

	/** The row of an erased customer has only the pseudonym. */
	noteRefundId(refundId: string): void {
		this.#refundIds.set(`erased_${hashOf(refundId).slice(0, 24)}`, refundId);
	}

	noteRequest(clickId: string): void {
		this.#requested.set(hashOf(clickId), clickId);
	}

	/** Call it before an erasure can overwrite the ids. */
	note({ customers, clicks, sales, refunds }: Pick<Rows, 'customers' | 'clicks' | 'sales' | 'refunds'>): void {
		this.#isAny = true;
		for (const { id, customer_key, click_id, email_hash, erased_at } of customers) {
			if (erased_at !== null) continue;
			const known = isPseudonym(click_id) ? (this.#customers.get(id)?.click_id ?? click_id) : click_id;
			this.#customers.set(id, { customer_key, click_id: known, email_hash });
		}
		const erased = new Set(customers.filter(({ erased_at }) => erased_at !== null).map(({ id }) => id));
		for (const { id, click_id, referrer_url, sub_id } of clicks)
			if (!isPseudonym(click_id)) this.#clicks.set(id, { click_id, referrer_url, sub_id });
		for (const { id, customer_id, processor_event_id, subscription_id, line_items } of sales) {
			const known = this.#sales.get(id);
			// A test sale has no customer, so cleared ids are the only sign of an erasure.
			const isCleared = (subscription_id === null && known?.subscription_id != null) || (line_items === null && known?.line_items != null);
			const isLess = isPseudonym(processor_event_id) || isCleared;
			if (!erased.has(customer_id ?? 0) && !(known && isLess)) this.#sales.set(id, { processor_event_id, subscription_id, line_items });
		}
		for (const { id, refund_id } of refunds) if (!isPseudonym(refund_id)) this.#refunds.set(id, refund_id);
	}

	/** The rows as if nobody had been erased. `names` are the tables that were just read. */
	restored(rows: Rows, names: ReadonlySet<keyof Rows>): Rows {
		if (!this.#isAny) return rows;
		const erased = new Set(rows.customers.filter(({ erased_at }) => erased_at !== null).map(({ id }) => id));
		return {
			...rows,
			...(names.has('customers') && { customers: rows.customers.map((row) => this.#customer(row)) }),
			...(names.has('clicks') && { clicks: rows.clicks.map((row) => this.#click(row)) }),
			...((names.has('sales') || names.has('customers')) && {
				sales: rows.sales.map((row) =>
					erased.has(row.customer_id ?? 0) || row.is_test === 1 ? { ...row, ...this.#sales.get(row.id) } : row,
				),
			}),
			...(names.has('refunds') && { refunds: rows.refunds.map((row) => this.#refund(row)) }),
		};
	}

	asStored(row: CustomerRow): CustomerRow {
		return this.#stored.get(row) ?? row;
	}

	/** The erased keys and click ids in these rows, each with its program. Files may still have a click whose id is noted as erased. */
	idsIn({ customers, clicks, erasedIds }: Rows): ReadonlySet<string> {
		if (!this.#isAny) return new Set();
		const ofCustomers = customers.flatMap((row) => {
			const stored = this.asStored(row);
			const gone = [
				...(stored.customer_key === row.customer_key ? [] : [row.customer_key]),
				...(stored.click_id === row.click_id ? [] : [row.click_id]),
			];
			return gone.flatMap((id) => (id === null ? [] : [nameOf(row.program_id, id)]));
		});
		const ofClicks = clicks.filter((row) => this.#pseudonymized.has(row)).map((row) => nameOf(row.program_id, row.click_id));
		const noted = erasedIds.flatMap(({ program_id, hash }) => {
			const id = this.#requested.get(hash);
			return id === undefined ? [] : [nameOf(program_id, id)];
		});
		return new Set([...ofCustomers, ...ofClicks, ...noted]);
	}

	readonly #pseudonymized = new WeakSet<ClickRow>();

	#customer(row: CustomerRow): CustomerRow {
		const known = this.#customers.get(row.id);
		if (!known || (row.erased_at === null && !isPseudonym(row.click_id))) return row;
		const restored = row.erased_at === null ? { ...row, click_id: known.click_id } : { ...row, ...known };
		this.#stored.set(restored, row);
		return restored;
	}

	#click(row: ClickRow): ClickRow {
		if (!isPseudonym(row.click_id)) return row;
		const restored = { ...row, ...this.#clicks.get(row.id) };
		this.#pseudonymized.add(restored);
		return restored;
	}

	#refund(row: RefundRow): RefundRow {
		if (!isPseudonym(row.refund_id)) return row;
		return { ...row, refund_id: this.#refunds.get(row.id) ?? this.#refundIds.get(row.refund_id) ?? row.refund_id };
	}
}

function hashOf(id: string): string {
	return createHmac('sha256', `erased\n${SECRET}`).update(id).digest('hex');
}

export function nameOf(programId: number, id: string): string {
	return `${programId} ${id}`;
}
