import { Hono } from 'hono';
import * as z from 'zod/mini';
import { formatDuePosition, parseDuePosition } from '../../../domain/payouts/due.ts';
import { inZone } from '../../../domain/moment.ts';
import { amountReasonOf, LEFT_OUTS, leftOutReasonOf } from '../../../domain/payouts/payout.ts';
import { once } from '../../../once.ts';
import type { DueSum } from '../../../payouts/due-sums.ts';
import { type DuePage, listDue, type PlannedAccount, sumDue } from '../../../payouts/list-due.ts';
import type { DueRequest } from '../../../payouts/start-pay-run.ts';
import type { AppEnv } from '../../app-env.ts';
import { Identifier, IsoDayOrInstant, QueryId, QueryIdList } from '../../fields.ts';
import { NextCursor, PageQuery } from '../../page.ts';
import { query } from '../../validate.ts';
import { DUE_METHODS, DUE_STATUSES } from './pay-runs.ts';
import { PreviewQuery } from './payouts.ts';
import { requireProgram } from '../session.ts';

/** NewPayRun as a query. */
export const DueQuery = once(() =>
	z.object({
		partner_ids: z.optional(QueryIdList()),
		status: z.optional(z.enum(DUE_STATUSES, `must be one of ${DUE_STATUSES.join(', ')}`)),
		group_id: z.optional(QueryId()),
		method: z.optional(z.enum(DUE_METHODS, `must be one of ${DUE_METHODS.join(', ')}`)),
		search: z.optional(Identifier()),
		before: z.optional(IsoDayOrInstant()),
		minimum_cents: PreviewQuery().shape.minimum_cents,
	}),
);

const SHOWN = ['due', 'left_out'] as const;

export const DueListQuery = once(() =>
	z.extend(DueQuery(), {
		show: z._default(z.enum(SHOWN, `must be one of ${SHOWN.join(', ')}`), 'due'),
		cursor: z.optional(NextCursor(parseDuePosition)),
		limit: PageQuery().shape.limit,
	}),
);

/** /api/v1/programs/:id/payouts/due */
export const due = new Hono<AppEnv>()
	.get('/', requireProgram('member'), query(DueListQuery), async (c) => {
		const { ctx, program } = c.var;
		const { show, cursor, limit, ...fields } = c.req.valid('query');
		const page = await listDue(ctx, program, { ...requestOf(fields, program), isLeftOut: show === 'left_out', cursor, limit });
		return c.json({
			success: true,
			data: page.rows.map((row) => dueOnWire(row, page)),
			meta: { next_cursor: page.next ? formatDuePosition(page.next) : null },
		});
	})
	.get('/sums', requireProgram('member'), query(DueQuery), async (c) => {
		const { ctx, program } = c.var;
		const { sums, others } = await sumDue(ctx, program, requestOf(c.req.valid('query'), program));
		const paid = sums.filter(({ leftOut }) => leftOut === null);
		return c.json({
			success: true,
			data: {
				payouts: countOf(paid),
				currencies: paid.map(sumOnWire).toSorted((a, b) => a.currency.localeCompare(b.currency)),
				left_out: LEFT_OUTS.map((reason) => ({ reason, accounts: countOf(sums.filter(({ leftOut }) => leftOut === reason)) })),
				suspended_payouts: countOf(others.filter(({ status }) => status === 'suspended')),
				ended_payouts: countOf(others.filter(({ status }) => status === 'ended')),
			},
		});
	});

type Fields = z.output<ReturnType<typeof DueQuery>>;

function requestOf(fields: Fields, { timeZone }: { readonly timeZone: string }): DueRequest {
	const { partner_ids: partnerIds, group_id: groupId, minimum_cents: minimumCents, before, ...filter } = fields;
	return { ...filter, partnerIds, groupId, minimumCents, before: before && inZone(before, timeZone) };
}

function dueOnWire(row: PlannedAccount, { minimum }: DuePage) {
	const { account, amountCents, recoveredCents, commissionCents, surplusCents, leftOut } = row;
	const { currency, partner, payableCount } = account;
	const commissions = { length: payableCount };
	return {
		partner: { id: partner.id, name: partner.name, status: partner.status, payout_method: partner.payoutMethod },
		currency,
		amount_cents: amountCents,
		recovered_cents: recoveredCents,
		commission_cents: commissionCents,
		surplus_cents: surplusCents,
		commissions: payableCount,
		left_out: leftOut ?? null,
		reason_text:
			leftOut === undefined
				? amountReasonOf({ amountCents, recoveredCents, surplusCents, currency })
				: leftOutReasonOf({ ...row, commissions }, minimum),
	};
}

function sumOnWire(sum: DueSum) {
	return {
		currency: sum.currency,
		payouts: sum.accounts,
		amount_cents: sum.amountCents,
		recovered_cents: sum.recoveredCents,
		commission_cents: sum.commissionCents,
		surplus_cents: sum.surplusCents,
		commissions: sum.commissions,
		without_payout_method: sum.withoutMethod,
		above_limit: sum.aboveLimit,
	};
}

function countOf(sums: readonly DueSum[]): number {
	return sums.reduce((count, { accounts }) => count + accounts, 0);
}
