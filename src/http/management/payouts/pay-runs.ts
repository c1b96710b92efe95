import { Hono } from 'hono';
import * as z from 'zod/mini';
import { inZone } from '../../../domain/moment.ts';
import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { PAYOUT_METHODS } from '../../../domain/payouts/payout-details.ts';
import { once } from '../../../once.ts';
import { startPayRun } from '../../../payouts/start-pay-run.ts';
import type { AppEnv } from '../../app-env.ts';
import { Id, Identifier, IdList, IsoDayOrInstant, Strict, Whole } from '../../fields.ts';
import { body } from '../../validate.ts';
import { runOnWire } from '../runs.ts';
import { requireProgram } from '../session.ts';

export const DUE_STATUSES = ['active', 'suspended', 'ended'] as const;
export const DUE_METHODS = [...PAYOUT_METHODS, 'none'] as const;

export const NewPayRun = once(() =>
	Strict({
		partner_ids: z.optional(IdList()),
		status: z.optional(z.enum(DUE_STATUSES, `must be one of ${DUE_STATUSES.join(', ')}`)),
		group_id: z.optional(Id()),
		method: z.optional(z.enum(DUE_METHODS, `must be one of ${DUE_METHODS.join(', ')}`)),
		search: z.optional(Identifier()),
		before: z.optional(IsoDayOrInstant()),
		minimum_cents: z.optional(Whole(0, MAX_AMOUNT_CENTS)),
	}),
);

/** /api/v1/programs/:id/payouts/runs */
export const payRuns = new Hono<AppEnv>().post('/', requireProgram('admin'), body(NewPayRun), async (c) => {
	const { ctx, program } = c.var;
	const { partner_ids: partnerIds, group_id: groupId, minimum_cents: minimumCents, before, ...filter } = c.req.valid('json');
	const request = { ...filter, partnerIds, groupId, minimumCents, before: before && inZone(before, program.timeZone) };
	return c.json({ success: true, data: runOnWire(await startPayRun(ctx, program, request)) }, 202);
});
