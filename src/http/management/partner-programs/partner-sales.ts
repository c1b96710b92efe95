import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoOf } from '../../../domain/instant.ts';
import { once } from '../../../once.ts';
import { listUncreditedSales, type UncreditedSale } from '../../../commissions/list-uncredited-sales.ts';
import type { AppEnv } from '../../app-env.ts';
import { wantsCsv } from '../../csv.ts';
import { answerList } from '../../csv-list.ts';
import { IsoDayOrInstant } from '../../fields.ts';
import { PageQuery } from '../../page.ts';
import { query } from '../../validate.ts';
import { requirePartnerProgram } from '../session.ts';

export const UncreditedQuery = once(() =>
	z.extend(PageQuery(), { from: z.optional(IsoDayOrInstant()), to: z.optional(IsoDayOrInstant()) }),
);

export const UNCREDITED_COLUMNS =
	'sale_id,reason_code,reason,amount_cents,refunded_cents,currency,product_id,created_at,created_day,sub_id';

/** /api/v1/partner-programs/:id/unearned-sales */
export const partnerSales = new Hono<AppEnv>().get('/', requirePartnerProgram('ended'), query(UncreditedQuery), async (c) => {
	const { ctx, membership } = c.var;
	const { from, to, ...page } = c.req.valid('query');
	return answerList(c, {
		name: `unearned-sales-${membership.id}`,
		header: UNCREDITED_COLUMNS,
		isCsv: wantsCsv(c),
		page,
		read: (request) => listUncreditedSales(ctx, membership, { from, to, ...request }),
		onWire: uncreditedOnWire,
		inLine: (sale) => ({ ...uncreditedOnWire(sale), sale_id: sale.id, created_day: sale.saleDay }),
	});
});

function uncreditedOnWire(sale: UncreditedSale) {
	return {
		id: sale.id,
		reason_code: sale.reasonCode,
		reason: sale.reason,
		amount_cents: sale.amountCents,
		refunded_cents: sale.refundedCents,
		currency: sale.currency,
		product_id: sale.productId,
		sub_id: sale.subId,
		created_at: isoOf(sale.createdAt),
	};
}
