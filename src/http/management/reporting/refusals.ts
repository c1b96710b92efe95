import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoOf } from '../../../domain/instant.ts';
import { senderOf } from '../../../domain/refusal.ts';
import { once } from '../../../once.ts';
import { listRefusals, type Refusal } from '../../../programs/list-refusals.ts';
import type { AppEnv } from '../../app-env.ts';
import { answerCsv, CSV_SLICE_ROWS, wantsCsv } from '../../csv.ts';
import { Identifier, QueryFlag } from '../../fields.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { query, sentQuery } from '../../validate.ts';
import { requireProgram } from '../session.ts';

const OPERATIONS = ['lead', 'sale', 'refund'] as const;

export const RefusalQuery = once(() =>
	z.extend(PageQuery(), {
		operation: z.optional(z.enum(OPERATIONS, `must be one of ${OPERATIONS.join(', ')}`)),
		routine: z.optional(QueryFlag()),
		transaction_id: z.optional(Identifier()),
		click_id: z.optional(Identifier()),
		customer_key: z.optional(Identifier()),
	}),
);

export const REFUSAL_COLUMNS =
	'id,operation,source,status,code,message,transaction_id,click_id,customer_key,amount_cents,currency,routine,count,first_at,last_at';

/** /api/v1/programs/:id/refusals */
export const refusals = new Hono<AppEnv>().get('/', requireProgram('member'), query(RefusalQuery), async (c) => {
	const { ctx, program } = c.var;
	const { cursor, limit, total, operation, routine, ...ids } = c.req.valid('query');
	const isCsv = wantsCsv(c);
	const page = await listRefusals(ctx, program.id, {
		cursor,
		// A program never keeps more refusals than fit in one slice of a file.
		limit: isCsv && !('limit' in sentQuery(c)) ? CSV_SLICE_ROWS : limit,
		total,
		operation,
		isRoutine: routine === undefined ? undefined : routine === 'true',
		transactionId: ids.transaction_id,
		clickId: ids.click_id,
		customerKey: ids.customer_key,
	});
	const rows = page.rows.map(refusalOnWire);
	if (isCsv) return answerCsv(c, `refusals-${program.id}`, REFUSAL_COLUMNS, { rows, nextCursor: page.nextCursor });
	return c.json({ success: true, data: rows, meta: metaOf(page) });
});

export function refusalOnWire(refusal: Refusal) {
	return {
		id: refusal.id,
		operation: refusal.operation,
		source: senderOf(refusal),
		status: refusal.status,
		code: refusal.code,
		message: refusal.message,
		transaction_id: refusal.transactionId,
		click_id: refusal.clickId,
		customer_key: refusal.customerKey,
		amount_cents: refusal.amountCents,
		currency: refusal.currency,
		routine: refusal.isRoutine,
		count: refusal.count,
		first_at: isoOf(refusal.firstAt),
		last_at: isoOf(refusal.lastAt),
	};
}
