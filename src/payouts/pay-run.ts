import * as z from 'zod/mini';
import type { DueFilter } from './due-accounts.ts';
import type { Minimum } from '../domain/payouts/payout.ts';

/** Pays the matching accounts everything that was due when the run started. */
export interface PaySelection extends Omit<DueFilter, 'untilId'> {
	readonly minimum: Minimum;
}

const Stored: z.ZodMiniType<PaySelection> = z.object({
	partnerIds: z.optional(z.array(z.number())),
	status: z.optional(z.enum(['active', 'suspended', 'ended'])),
	groupId: z.optional(z.number()),
	method: z.optional(z.enum(['paypal', 'wise', 'bank', 'none'])),
	search: z.optional(z.string()),
	before: z.optional(
		z.discriminatedUnion('kind', [
			z.object({ kind: z.literal('day'), day: z.string() }),
			z.object({ kind: z.literal('instant'), at: z.number() }),
		]),
	),
	minimum: z.union([z.number(), z.object({ cents: z.number(), currency: z.string() })]),
});

export function paySelectionOf({ selection }: { readonly selection: unknown }): PaySelection {
	return Stored.parse(selection);
}
