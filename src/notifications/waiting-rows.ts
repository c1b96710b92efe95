import { eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { type Placeholders, prepare } from '../db/prepare.ts';
import { outbox } from '../db/schema/work.ts';
import { programs } from '../db/schema/programs.ts';
import { MINUTE_MS } from '../domain/calendar.ts';
import type { DeltasOfChange } from '../domain/reporting/changed-figures.ts';
import { hasPostbacks, hasWebhooks, type OutboxKey } from '../outbox/outbox.ts';
import type { SnapshotRow } from '../webhooks/snapshot-deliveries.ts';
import type { NotificationCause } from './write-notifications.ts';

export interface WaitingRow extends DeltasOfChange, NotificationCause, SnapshotRow {
	readonly hasWebhooks: boolean;
	readonly hasPostbacks: boolean;
}

type FoundRow = Pick<
	typeof outbox.$inferSelect,
	'programId' | 'id' | 'kind' | 'subjectId' | 'moves' | 'referralLinkId' | 'productId' | 'country' | 'source' | 'createdAt'
> & { readonly currency: string; readonly hasWebhooks: number; readonly hasPostbacks: number };

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
		partnerProgramId: count,
		sums: z.optional(z.record(z.string(), z.number())),
	}),
);

/** Omits rows that were applied. */
export async function findWaiting(ctx: Context, keys: readonly OutboxKey[]): Promise<WaitingRow[]> {
	const rows = await read(ctx.db, selectNamed(ctx, { keys: JSON.stringify(keys) }));
	return rows.map(waitingRow);
}

const COLUMNS = {
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
	createdAt: outbox.createdAt,
	hasWebhooks: hasWebhooks(programs.id),
	hasPostbacks: hasPostbacks(programs.id),
} as const;

const selectNamed = prepare(({ db }, { keys }: Placeholders<{ keys: string }>) =>
	db
		.select(COLUMNS)
		.from(sql`json_each(${keys}) AS named`)
		.innerJoin(outbox, sql`${outbox.programId} = named.value ->> 0 AND ${outbox.id} = named.value ->> 1`)
		.innerJoin(programs, eq(programs.id, outbox.programId)),
);

/** Oldest first. A failed row is due again after one minute, then two, four, eight and so on. */
export async function findDue({ db, now }: Context, limit: number): Promise<WaitingRow[]> {
	const isDue = sql`${outbox.createdAt} + ${MINUTE_MS} * ((1 << min(${outbox.failures}, 30)) - 1) <= ${now}`;
	const due = db.select().from(outbox).where(isDue).orderBy(outbox.createdAt).limit(limit).as('outbox');
	const { rows } = await read(db, { rows: db.select(COLUMNS).from(due).crossJoin(programs).where(eq(programs.id, outbox.programId)) });
	return rows.map(waitingRow);
}

function waitingRow({ moves, referralLinkId, productId, country, source, ...row }: FoundRow): WaitingRow {
	return {
		...row,
		hasWebhooks: row.hasWebhooks === 1,
		hasPostbacks: row.hasPostbacks === 1,
		moves: moves === null ? [] : Moves.parse(JSON.parse(moves)),
		values: { link: referralLinkId === null ? null : String(referralLinkId), product: productId, country, source },
	};
}
