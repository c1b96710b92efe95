import * as z from 'zod/mini';
import { parseMoment } from '../../domain/moment.ts';
import { once } from '../../once.ts';
import { Id } from '../schema.ts';

// The field types that partners, links, commissions and payouts share.

/** An id in the query. */
export const QueryId = once(() => z.pipe(z.string().check(z.regex(/^[1-9]\d{0,14}$/, 'must be a positive integer')), z.transform(Number)));

const MOMENT = 'must be an ISO 8601 date (2026-01-31) or time (2026-01-31T12:00:00Z)';

/** A day of the program's time zone, or a time; without an offset it is one of that zone. */
export const IsoMoment = once(() =>
	z.pipe(
		z.string(MOMENT),
		z.transform((text: string, refinement) => {
			const moment = parseMoment(text);
			if (moment) return moment;
			refinement.issues.push({ code: 'custom', message: MOMENT, input: text });
			return z.NEVER;
		}),
	),
);

/** Ms since the epoch as ISO 8601, UTC. */
export function isoOf(instant: number): string {
	return new Date(instant).toISOString();
}

/** The `aff` value of a link: 1 to 64 of A-Z a-z 0-9 _ -. */
export const ShortLink = once(() =>
	z.string('must be a string').check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 of the characters A-Z a-z 0-9 _ -')),
);

/** Ids of a request that takes several: 1 to 500. */
export const IdList = once(() =>
	z.array(Id(), 'must be a list of ids').check(z.minLength(1, 'must name at least one id'), z.maxLength(500, 'must name at most 500 ids')),
);
