import { eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { type Given, prepare } from '../db/prepare.ts';
import { outbox } from '../db/schema/work.ts';
import { programs } from '../db/schema/programs.ts';
import type { MovesOfChange } from '../domain/moved-figures.ts';
import type { OutboxKey } from '../outbox/outbox.ts';
import type { ToldRow } from './write-notifications.ts';

/** An outbox row that waits: what it moves, and of what to tell. */
export interface WaitingRow extends MovesOfChange, ToldRow {}

const count = z.optional(z.number());
const Moves = z.array(
	z.object({
		day: z.string(),
		currency: z.nullish(z.string()),
		onlyValues: z.optional(z.literal(true)),
		leads: count,
		openLeads: count,
		conversions: count,
		partners: count,
		sales: count,
		revenueCents: count,
		refundedCents: count,
		commissionCents: count,
		deductedCents: count,
	}),
);

/** Those of the rows that still wait. */
export async function findWaiting(ctx: Context, keys: readonly OutboxKey[]): Promise<WaitingRow[]> {
	const rows = await read(ctx.db, selectWaiting(ctx, { keys: JSON.stringify(keys) }));
	return rows.map(({ moves, referralLinkId, productId, country, source, ...row }) => ({
		...row,
		moves: moves === null ? [] : Moves.parse(JSON.parse(moves)),
		values: { link: referralLinkId === null ? null : String(referralLinkId), product: productId, country, source },
	}));
}

const selectWaiting = prepare(({ db }, { keys }: Given<{ keys: string }>) =>
	db
		.select({
			programId: outbox.programId,
			id: outbox.id,
			kind: outbox.kind,
			subjectId: outbox.subjectId,
			currency: programs.currency,
			moves: outbox.moves,
			referralLinkId: outbox.referralLinkId,
			productId: outbox.productId,
			country: outbox.country,
			source: outbox.source,
		})
		.from(sql`json_each(${keys}) AS named`)
		.innerJoin(outbox, sql`${outbox.programId} = named.value ->> 0 AND ${outbox.id} = named.value ->> 1`)
		.innerJoin(programs, eq(programs.id, outbox.programId)),
);
