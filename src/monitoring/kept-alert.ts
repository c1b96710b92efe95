import * as z from 'zod/mini';
import type { AlertKind, Trouble } from '../domain/monitoring/alert.ts';

export type KeptAlert = Trouble & { readonly id: number; readonly key: string };

const since = z.number();

const Kept = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('dead_letters'), facts: z.object({ count: z.number(), since }) }),
	z.object({ kind: z.literal('outbox_stuck'), facts: z.object({ since }) }),
	z.object({ kind: z.literal('processor_events_late'), facts: z.object({ since }) }),
	z.object({ kind: z.literal('postbacks_late'), facts: z.object({ since }) }),
	z.object({ kind: z.literal('cron_silent'), facts: z.object({ since: z.nullable(since) }) }),
	z.object({
		kind: z.literal('database_full'),
		facts: z.object({
			bytes: z.number(),
			limitBytes: z.number(),
			oldClicks: z.optional(z.object({ bytes: z.number(), programs: z.array(z.string()) })),
		}),
	}),
	z.object({
		kind: z.literal('processor_silent'),
		facts: z.object({ since, programId: z.number(), programName: z.string(), processor: z.string() }),
	}),
]);

/** The facts when the alert began. */
export function troubleOf({ kind, facts }: { readonly kind: AlertKind; readonly facts: string }): Trouble {
	return Kept.parse({ kind, facts: JSON.parse(facts) });
}
