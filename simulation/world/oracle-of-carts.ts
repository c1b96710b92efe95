// Computes the lines of a sale independently (decision 53). Imports nothing from src/.

export interface Part {
	readonly productId: string | null;
	readonly cents: number;
	readonly isProration: boolean;
}

interface Sold {
	readonly productId: string | null;
	readonly amountCents: number;
	/** JSON. */
	readonly lineItems: string | null;
}

/** Undefined if the lines do not select rules. */
export function partsOf({ lineItems, productId: ofSale, amountCents }: Sold): Part[] | undefined {
	const lines: unknown = JSON.parse(lineItems ?? 'null');
	if (!Array.isArray(lines) || lines.length === 0) return undefined;
	const billed = new Map<string | null, { cents: number; regular: number }>();
	for (const line of lines) {
		const { product_id, amount_cents, proration }: Record<string, unknown> = Object(line);
		if (typeof amount_cents !== 'number' || amount_cents !== Math.trunc(amount_cents)) return undefined;
		const productId = typeof product_id === 'string' ? product_id : ofSale;
		const { cents, regular } = billed.get(productId) ?? { cents: 0, regular: 0 };
		const isRegular = amount_cents > 0 && proration !== true;
		billed.set(productId, { cents: cents + amount_cents, regular: regular + (isRegular ? 1 : 0) });
	}
	for (const [productId, { cents }] of billed) if (cents <= 0) billed.delete(productId);
	if (billed.size === 0) return undefined;
	const shares = scaled(new Map([...billed].map(([productId, { cents }]) => [productId, cents])), amountCents);
	return [...shares]
		.filter(([, cents]) => cents > 0)
		.map(([productId, cents]) => ({ productId, cents, isProration: billed.get(productId)?.regular === 0 }));
}

/** Each remaining cent goes to the part with the largest shortfall; ties go to the larger amount, then by name. */
function scaled(billed: ReadonlyMap<string | null, number>, amountCents: number): Map<string | null, number> {
	const sum = [...billed.values()].reduce((all, cents) => all + BigInt(cents), 0n);
	const exact = (cents: number) => BigInt(cents) * BigInt(amountCents);
	const shares = new Map([...billed].map(([productId, cents]) => [productId, Number(exact(cents) / sum)]));
	const missing = (productId: string | null) => exact(billed.get(productId) ?? 0) - BigInt(shares.get(productId) ?? 0) * sum;
	let left = amountCents - [...shares.values()].reduce((all, cents) => all + cents, 0);
	for (; left > 0; left -= 1) {
		const [next] = [...billed.keys()].toSorted((a, b) => {
			if (missing(a) !== missing(b)) return missing(a) > missing(b) ? -1 : 1;
			const more = (billed.get(b) ?? 0) - (billed.get(a) ?? 0);
			return more === 0 ? ((a ?? '') < (b ?? '') ? -1 : 1) : more;
		});
		if (next === undefined) break;
		shares.set(next, (shares.get(next) ?? 0) + 1);
	}
	return shares;
}
