import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import type { DueAccount, DuePosition } from '../domain/payouts/due.ts';
import type { DayOrInstant } from '../domain/moment.ts';
import type { PayoutMethod } from '../domain/payouts/payout-details.ts';
import { IS_UNPAID } from '../ledger/balances.ts';
import { isFound } from '../partners/find-partners.ts';

export interface DueFilter {
	/** In any membership status. */
	readonly partnerIds?: readonly number[] | undefined;
	readonly status?: 'active' | 'suspended' | 'ended' | undefined;
	readonly groupId?: number | undefined;
	/** The current method; `none` means no payout details. */
	readonly method?: PayoutMethod | 'none' | undefined;
	/** Part of the name or email address. */
	readonly search?: string | undefined;
	/** Only commissions created before it; a surplus has no date. */
	readonly before?: DayOrInstant | undefined;
	/** Only commissions up to this id. */
	readonly untilId?: number | undefined;
}

/** An account with a balance or an unpaid commission. */
export interface FoundAccount extends DueAccount {
	readonly partner: {
		readonly id: number;
		readonly name: string;
		readonly status: 'active' | 'suspended' | 'ended';
		readonly payoutMethod: PayoutMethod | null;
	};
}

/** Whether an unpaid commission `c` is payable now. Must agree with `whyNotPayable`. */
export function isPayable({ now }: Pick<Context, 'now'>, { before, untilId }: Pick<DueFilter, 'before' | 'untilId'>): SQL {
	const conditions = [
		sql`(c.status = 'approved' OR (c.status = 'refunded' AND c.amount_cents > c.deducted_cents
			AND NOT (c.status_before_refund = 'pending' AND c.hold_until > ${now})))`,
		before?.kind === 'day' ? sql`c.created_day < ${before.day}` : undefined,
		before?.kind === 'instant' ? sql`c.created_at < ${before.at}` : undefined,
		untilId === undefined ? undefined : sql`c.id <= ${untilId}`,
	];
	return sql.join(
		conditions.filter((condition) => condition !== undefined),
		sql` AND `,
	);
}

export interface DueWindow {
	readonly after: DuePosition | undefined;
	readonly accounts: number;
}

/** If few partners are due, the list needs several reads. */
const PARTNERS_AT_ONCE = 1_000;

type Row = Omit<FoundAccount, 'partner'> & Pick<FoundAccount['partner'], 'name' | 'status' | 'payoutMethod'>;

export interface DuePart {
	readonly accounts: readonly FoundAccount[];
	/** Undefined after the last part. */
	readonly next: DuePosition | undefined;
}

/** The next matching accounts, due or not. One round trip. */
export async function readDueAccounts(ctx: Context, programId: number, filter: DueFilter, window: DueWindow): Promise<DuePart> {
	const { rows, ends } = await read(ctx.db, {
		rows: selectNext(ctx, programId, filter, window),
		ends: ctx.db.all<{ last: number | null }>(sql`SELECT ${lastPartner(programId, filter, window.after)} AS last`),
	});
	const accounts = rows.slice(0, window.accounts).map(({ name, status, payoutMethod, ...account }) => ({
		...account,
		partner: { id: account.partnerId, name, status, payoutMethod },
	}));
	const last = ends[0]?.last ?? undefined;
	if (rows.length > window.accounts) return { accounts, next: accounts.at(-1) };
	return { accounts, next: last === undefined ? undefined : { partnerId: last, currency: BEHIND_ALL } };
}

/** Sorts after every currency, so that the next part begins with the next partner. */
const BEHIND_ALL = 'ZZZ';

function selectNext(ctx: Context, programId: number, filter: DueFilter, { after, accounts }: DueWindow) {
	const last = sql`coalesce(${lastPartner(programId, filter, after)}, ${Number.MAX_SAFE_INTEGER})`;
	const isAfter =
		after && sql` AND pp.partner_id >= ${after.partnerId} AND (pp.partner_id > ${after.partnerId} OR b.currency > ${after.currency})`;
	return ctx.db.all<Row>(sql`
		${accountsThat(ctx, programId, filter, sql`pp.partner_id <= ${last}${isAfter}`)}
		ORDER BY pp.partner_id, b.currency LIMIT ${accounts + 1}`);
}

export function accountsThat(ctx: Context, programId: number, filter: DueFilter, condition: SQL): SQL {
	const { status, method, search } = filter;
	const conditions = [
		isWalked(programId, filter),
		condition,
		status && sql`pp.status = ${status}`,
		method && sql`coalesce(d.method, 'none') = ${method}`,
		search === undefined ? undefined : isFound(search, 'p'),
	].filter((each) => each !== undefined);
	return sql`
		SELECT pp.partner_id AS partnerId, pp.id AS partnerProgramId, p.name, pp.status, d.method AS payoutMethod,
			b.currency, b.balance_cents AS balanceCents, ${sumsOfAccount(ctx, filter)}
		FROM ${walk(filter)}
		CROSS JOIN partners p ON p.id = pp.partner_id
		LEFT JOIN payout_details d ON d.partner_id = pp.partner_id
		CROSS JOIN partner_program_balances b ON b.partner_program_id = pp.id
		LEFT JOIN commissions c INDEXED BY commissions_unpaid
			ON c.program_id = ${programId} AND c.partner_program_id = pp.id AND c.currency = b.currency AND ${IS_UNPAID}
		WHERE ${sql.join(conditions, sql` AND `)}
		GROUP BY pp.partner_id, b.currency
		HAVING b.balance_cents <> 0 OR unpaidCents > 0 OR payableCount > 0`;
}

function sumsOfAccount(ctx: Context, filter: DueFilter): SQL {
	const rest = sql`c.amount_cents - c.deducted_cents`;
	return sql`coalesce(sum(${rest}), 0) AS unpaidCents,
		coalesce(sum(iif(${isPayable(ctx, filter)}, ${rest}, 0)), 0) AS payableCents,
		coalesce(sum(${isPayable(ctx, filter)}), 0) AS payableCount`;
}

/** Walks an index of partners, so that reading stops when the page is full. */
function walk({ groupId }: DueFilter): SQL {
	return groupId === undefined
		? sql`partner_programs pp INDEXED BY partner_programs_once`
		: sql`partner_programs pp INDEXED BY partner_programs_by_group`;
}

function isWalked(programId: number, { groupId, partnerIds }: DueFilter): SQL {
	const named = partnerIds && sql`pp.partner_id IN (SELECT value FROM json_each(${JSON.stringify(partnerIds)}))`;
	const grouped =
		groupId === undefined ? sql`pp.program_id = ${programId}` : sql`pp.group_id = ${groupId} AND +pp.program_id = ${programId}`;
	return sql`${grouped} AND ${named ?? sql`true`}`;
}

/** Null if this is the last part. */
function lastPartner(programId: number, filter: DueFilter, after: DuePosition | undefined): SQL {
	return sql`(
		SELECT pp.partner_id FROM ${walk(filter)}
		WHERE ${isWalked(programId, filter)} AND pp.partner_id >= ${after?.partnerId ?? 0}
		ORDER BY pp.partner_id LIMIT 1 OFFSET ${PARTNERS_AT_ONCE - 1})`;
}
