import * as z from 'zod/mini';

const DayOrInstant = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('day'), day: z.string() }),
	z.object({ kind: z.literal('instant'), at: z.number() }),
]);

export const DecisionSelection = z.object({
	status: z.optional(z.enum(['pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded'])),
	partnerId: z.optional(z.number()),
	currency: z.optional(z.string()),
	from: z.optional(DayOrInstant),
	to: z.optional(DayOrInstant),
	search: z.optional(z.string()),
	/** For rejections only. */
	reason: z.optional(z.string()),
	/** Whether the expected number was checked at the start. If not, the run counts first. */
	isCounted: z.boolean(),
	/** The highest commission id at the start. */
	untilId: z.number(),
});
export type DecisionSelection = z.infer<typeof DecisionSelection>;
