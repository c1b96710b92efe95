import * as z from 'zod/mini';
import { parseClickId } from '../../domain/attribution/click-id.ts';
import { type Claims, keyIn, NO_CLAIMS } from '../reading/attribution.ts';

/** A `client_reference_id` has no fixed meaning: it may be a click id or the customer's key. */
export const ClientReference = z.pipe(
	z.optional(z.unknown()),
	z.transform((value): Claims => {
		const reference = keyIn(value);
		return reference !== undefined && parseClickId(reference) ? { ...NO_CLAIMS, clickId: reference } : { ...NO_CLAIMS, reference };
	}),
);
