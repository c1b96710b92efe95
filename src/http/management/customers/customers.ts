import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { Customer } from '../../../customers/customer.ts';
import { listCustomers } from '../../../customers/list-customers.ts';
import { type Journey, type JourneyStep, readJourney } from '../../../customers/read-journey.ts';
import { formatPosition, parsePosition } from '../../../domain/reporting/event-position.ts';
import { isoOf } from '../../../domain/instant.ts';
import { once } from '../../../once.ts';
import type { AppEnv } from '../../app-env.ts';
import { wantsCsv } from '../../csv.ts';
import { answerList } from '../../csv-list.ts';
import { Identifier, IsoDayOrInstant, QueryId } from '../../fields.ts';
import { NextCursor, PageQuery } from '../../page.ts';
import { params, query } from '../../validate.ts';
import { requireProgram } from '../session.ts';

export const CUSTOMER_STATUSES = ['click', 'lead', 'conversion'] as const;

export const CustomerQuery = once(() =>
	z.extend(PageQuery(), {
		search: z.optional(Identifier()),
		status: z.optional(z.enum(CUSTOMER_STATUSES, `must be one of ${CUSTOMER_STATUSES.join(', ')}`)),
		partner_id: z.optional(QueryId()),
		from: z.optional(IsoDayOrInstant()),
		to: z.optional(IsoDayOrInstant()),
	}),
);

export const JourneyQuery = once(() => z.object({ cursor: z.optional(NextCursor(parsePosition)), limit: PageQuery().shape.limit }));

export const CUSTOMER_COLUMNS =
	'customer_id,customer_key,email,status,signup_date,first_purchase_date,partner_id,partner_name,link_id,short_link,click_id,clicked_at,country,source,created_at,erased_at';

/** /api/v1/programs/:id/customers */
export const customers = new Hono<AppEnv>()
	.get('/', requireProgram('member'), query(CustomerQuery), async (c) => {
		const { ctx, program } = c.var;
		const { partner_id: partnerId, cursor, limit, total, ...sent } = c.req.valid('query');
		return answerList(c, {
			name: `customers-${program.id}`,
			header: CUSTOMER_COLUMNS,
			isCsv: wantsCsv(c),
			page: { cursor, limit, total },
			read: (page) => listCustomers(ctx, program, { ...sent, partnerId, ...page }),
			onWire: customerOnWire,
			inLine: csvRowOf,
		});
	})
	.get('/:customerId', requireProgram('member'), params(['customerId']), query(JourneyQuery), async (c) => {
		const { ctx, program } = c.var;
		const journey = await readJourney(ctx, program, c.req.valid('param').customerId, c.req.valid('query'));
		const nextCursor = journey.nextCursor && formatPosition(journey.nextCursor);
		return c.json({ success: true, data: journeyOnWire(journey), meta: { next_cursor: nextCursor } });
	});

export function customerOnWire(customer: Customer) {
	const { link } = customer;
	return {
		id: customer.id,
		customer_key: customer.customerKey,
		email: customer.email,
		status: customer.status,
		signup_date: customer.signupDate,
		first_purchase_date: customer.firstPurchaseDate,
		partner: customer.partner,
		link: link && { id: link.id, short_link: link.shortLink },
		click_id: customer.clickId,
		clicked_at: isoOf(customer.clickedAt),
		country: customer.country,
		source: customer.source,
		created_at: isoOf(customer.createdAt),
		erased_at: isoOf(customer.erasedAt),
	};
}

function csvRowOf(customer: Customer) {
	const { id, partner, link, ...row } = customerOnWire(customer);
	return {
		...row,
		customer_id: id,
		partner_id: partner?.id ?? null,
		partner_name: partner?.name ?? null,
		link_id: link?.id ?? null,
		short_link: link?.short_link ?? null,
	};
}

function journeyOnWire({ customer, totals, steps }: Journey) {
	return {
		...customerOnWire(customer),
		totals: Object.fromEntries(
			totals.map(({ currency, ...total }) => [
				currency,
				{
					sales: total.sales,
					revenue_cents: total.revenueCents,
					refunded_cents: total.refundedCents,
					commission_cents: total.commissionCents,
					deducted_cents: total.deductedCents,
				},
			]),
		),
		journey: steps.map(journeyStepOnWire),
	};
}

export function journeyStepOnWire(step: JourneyStep) {
	const { commission } = step;
	return {
		type: step.type,
		id: step.id,
		at: isoOf(step.at),
		click_id: step.clickId,
		page_url: step.pageUrl,
		referrer_url: step.referrerUrl,
		customer_key: step.customerKey,
		sale_id: step.saleId,
		transaction_id: step.transactionId,
		product_id: step.productId,
		amount_cents: step.amountCents,
		refunded_cents: step.refundedCents,
		currency: step.currency,
		commission: commission && {
			id: commission.id,
			status: commission.status,
			amount_cents: commission.amountCents,
			deducted_cents: commission.deductedCents,
		},
		no_commission_reason: step.noCommissionReason,
		duplicate_of_sale_id: step.duplicateOfSaleId,
		refund_id: step.refundId,
		deduction_cents: step.deductionCents,
		outcome: step.outcome,
		reason: step.reason,
	};
}
