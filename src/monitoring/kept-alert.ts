import * as z from 'zod/mini';
import type { AlertFacts, AlertKind } from '../domain/alert.ts';

/** An alert that is there. */
export interface KeptAlert {
	readonly id: number;
	readonly kind: AlertKind;
	readonly key: string;
	readonly facts: AlertFacts;
}

const optional = z.optional(z.number());
const Facts = z.object({
	count: optional,
	since: z.nullish(z.number()),
	bytes: optional,
	limitBytes: optional,
	programId: optional,
	programName: z.optional(z.string()),
	processor: z.optional(z.string()),
});

export function factsOf(json: string): AlertFacts {
	return Facts.parse(JSON.parse(json));
}
