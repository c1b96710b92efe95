import * as z from 'zod/mini';
import type { DueFilter } from './due-accounts.ts';
import type { Minimum } from '../domain/payouts/payout.ts';

/** What a pay run pays: what was due when it was started, of the accounts that match. */
export interface PaySelection extends Omit<DueFilter, 'untilId'> {
	/** The least that an account is paid. */
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

/** As a run has it in its row. */
export function paySelectionOf({ selection }: { readonly selection: unknown }): PaySelection {
	return Stored.parse(selection);
}
