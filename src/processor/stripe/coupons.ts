import * as z from 'zod/mini';
import { couponCodeOf } from '../../domain/attribution/coupon-code.ts';
import type { CouponFact } from '../../domain/processors/processor-event.ts';
import { Metadata } from '../reading/attribution.ts';
import { type EventReader, nothing, withFacts } from '../reading/event-reader.ts';
import { loose, present, read, Ref, Text } from '../reading/fields.ts';

/** By ids, and as text if the promotion code itself was sent. */
export interface DiscountCodes {
	readonly ids: readonly string[];
	readonly code: string | undefined;
}

const PromotionCode = z.object({ id: Ref, code: Text, metadata: Metadata });

const Code = z.pipe(
	z.optional(z.unknown()),
	z.transform((value): string | undefined => codeIn(read(PromotionCode, value))),
);

const Discount = z.object({ id: Ref, promotion_code: Ref, subscription: Ref });
const DiscountWithCode = z.object({ promotion_code: Code });

/** Objects or ids. */
export const Discounts = loose(
	z.pipe(
		z.array(z.unknown()),
		z.transform((discounts: unknown[]) => givenBy(discounts)),
	),
);

/** Before 2025. */
export const OneDiscount = z.pipe(
	z.optional(z.unknown()),
	z.transform((value) => givenBy(value === null || value === undefined ? [] : [value])),
);

function givenBy(discounts: readonly unknown[]): DiscountCodes {
	const ids = discounts.map((discount) => [read(Ref, discount), read(Discount, discount)?.promotion_code]);
	return { ids: present(ids.flat()), code: present(discounts.map((discount) => read(DiscountWithCode, discount)?.promotion_code))[0] };
}

/** `tracker_coupon_code` ties several codes to one coupon. */
function codeIn(promotion: z.infer<typeof PromotionCode> | undefined): string | undefined {
	return promotion?.metadata.couponCode ?? (promotion?.code === undefined ? undefined : couponCodeOf(promotion.code));
}

/** Read because payments only hold the code's id. */
export const readPromotionCode: EventReader = (object) => {
	const promotion = read(PromotionCode, object);
	const code = codeIn(promotion);
	if (promotion?.id === undefined || code === undefined) return nothing('promotion code without an id or a code');
	return withFacts(`promotion code ${code}`, { kind: 'coupon', processorIds: [promotion.id], code, of: undefined });
};

/** Read because invoices only hold the discount's id. */
export const readDiscount: EventReader = (object) => {
	const discount = read(Discount, object);
	if (discount?.id === undefined) return nothing('discount without an id');
	const facts = couponFacts([discount.id, discount.subscription], givenBy([object]));
	return facts.length > 0 ? withFacts('discount by a promotion code', ...facts) : nothing('discount without a promotion code');
};

export function couponFacts(processorIds: readonly (string | undefined)[], { ids, code }: DiscountCodes): CouponFact[] {
	const named = present(processorIds);
	const of = ids.find((id) => id.startsWith('promo_'));
	return named.length > 0 && (of !== undefined || code !== undefined) ? [{ kind: 'coupon', processorIds: named, code, of }] : [];
}
