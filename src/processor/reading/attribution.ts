import * as z from 'zod/mini';
import { parseClickId } from '../../domain/attribution/click-id.ts';
import { couponCodeOf } from '../../domain/attribution/coupon-code.ts';
import { isMissingValue } from '../../domain/attribution/customer-key.ts';
import type { Beginning, Bill, ReferenceFact, ProcessorAttribution } from '../../domain/processors/processor-event.ts';
import { identifierIn, present } from './fields.ts';

export interface Claims {
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
	readonly programId: string | undefined;
	readonly productId?: string | undefined;
	readonly couponCode?: string | undefined;
	readonly reference?: string | undefined;
}

export const NO_CLAIMS: Claims = { customerKey: undefined, clickId: undefined, programId: undefined };

/** The integrator's keys (contract, section 6). */
export const Metadata = z.pipe(
	z.optional(z.unknown()),
	z.transform((value): Claims => {
		if (typeof value !== 'object' || value === null) return NO_CLAIMS;
		return {
			customerKey: 'tracker_customer_key' in value ? keyIn(asText(value.tracker_customer_key)) : undefined,
			clickId: 'tracker_click_id' in value ? keyIn(value.tracker_click_id) : undefined,
			programId: 'program_id' in value ? identifierIn(asText(value.program_id)) : undefined,
			productId: 'tracker_product_id' in value ? identifierIn(asText(value.tracker_product_id)) : undefined,
			couponCode: 'tracker_coupon_code' in value ? codeIn(value.tracker_coupon_code) : undefined,
		};
	}),
);

/** Even empty metadata counts. */
export function isCarried(claims: Claims | undefined): claims is Claims {
	return claims !== undefined && claims !== NO_CLAIMS;
}

/** In JSON metadata, such as Paddle's, a number counts as its digits. */
function asText(value: unknown): unknown {
	return typeof value === 'number' ? String(value) : value;
}

/** Rejects values like `undefined`, which would merge all customers into one. */
export function keyIn(value: unknown): string | undefined {
	const key = identifierIn(value);
	return key === undefined || isMissingValue(key) ? undefined : key;
}

function codeIn(value: unknown): string | undefined {
	return typeof value === 'string' ? couponCodeOf(value) : undefined;
}

/** Each field comes from the first claim that has it. */
export function attributionOf(claims: readonly Claims[], processorIds: readonly (string | undefined)[]): ProcessorAttribution {
	const clickIds = present(claims.map(({ clickId }) => clickId));
	const named = {
		customerKey: present(claims.map(({ customerKey }) => customerKey))[0],
		// An invalid click id in one place must not hide a valid one in another.
		clickId: clickIds.find((clickId) => parseClickId(clickId)) ?? clickIds[0],
		programId: present(claims.map(({ programId }) => programId))[0],
		productId: present(claims.map(({ productId }) => productId))[0],
		couponCode: present(claims.map(({ couponCode }) => couponCode))[0],
		processorIds: present(processorIds),
	};
	return { ...named, reference: saysWho(named) ? undefined : present(claims.map(({ reference }) => reference))[0] };
}

/** Links the payer to a subscription, invoice or payment, if the event names one. */
export function referenceFactOf(attribution: ProcessorAttribution, beginning?: Beginning, bill?: Bill): ReferenceFact[] {
	const isNews = saysWho(attribution) || [attribution.reference, beginning, bill].some((value) => value !== undefined);
	const isOrganic = bill && isOfNobody(attribution);
	return isNews && attribution.processorIds.length > 0 ? [{ kind: 'binding', attribution, beginning, bill, isOrganic }] : [];
}

/** `true` if it identifies nobody. */
export function isOfNobody(attribution: ProcessorAttribution): true | undefined {
	return saysWho(attribution) || attribution.reference !== undefined ? undefined : true;
}

export function saysWho({ customerKey, clickId }: ProcessorAttribution): boolean {
	return customerKey !== undefined || clickId !== undefined;
}
