import * as z from 'zod/mini';
import { couponCodeOf } from '../../domain/attribution/coupon-code.ts';
import { Metadata } from '../reading/attribution.ts';
import { type EventReader, nothing, withFacts } from '../reading/event-reader.ts';
import { read, Ref, Text } from '../reading/fields.ts';

const Discount = z.object({ id: Ref, code: Text, custom_data: Metadata });

/** Read because transactions only hold a discount's id. `tracker_coupon_code` ties several discounts to one coupon. */
export const readDiscount: EventReader = (object) => {
	const discount = read(Discount, object);
	const code = discount?.custom_data.couponCode ?? (discount?.code === undefined ? undefined : couponCodeOf(discount.code));
	if (discount?.id === undefined || code === undefined) return nothing('discount without an id or a code');
	return withFacts(`discount ${code}`, { kind: 'coupon', processorIds: [discount.id], code, of: undefined });
};
