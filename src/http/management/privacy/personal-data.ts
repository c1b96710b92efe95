import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoOf } from '../../../domain/instant.ts';
import { once } from '../../../once.ts';
import { eraseCustomer } from '../../../privacy/erase-customer.ts';
import { exportCustomer, type PersonalData } from '../../../privacy/export-customer.ts';
import { listErasures } from '../../../privacy/list-erasures.ts';
import type { PersonQuery } from '../../../privacy/person.ts';
import type { AppEnv } from '../../app-env.ts';
import { Email, Id, Identifier, Strict } from '../../fields.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { body, query } from '../../validate.ts';
import { requireProgram } from '../session.ts';
import { rowOnWire } from '../stored-row.ts';

/** One of a person's ids. Sent in a body, because URLs are logged. */
export const PersonRequest = once(() =>
	Strict({
		customer_id: z.optional(Id()),
		customer_key: z.optional(Identifier()),
		email: z.optional(Email()),
		click_id: z.optional(Identifier()),
	}).check(
		z.refine(
			(sent) => Object.values(sent).filter((value) => value !== undefined).length === 1,
			'Send one of customer_id, customer_key, email and click_id',
		),
	),
);

type SentPerson = z.output<ReturnType<typeof PersonRequest>>;

/** Under /api/v1/programs/:id/customers */
export const personalData = new Hono<AppEnv>()
	.post('/export', requireProgram('admin'), body(PersonRequest), async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: dataOnWire(await exportCustomer(ctx, program, askedOf(c.req.valid('json')))) });
	})
	.post('/erase', requireProgram('admin'), body(PersonRequest), async (c) => {
		const { ctx, program } = c.var;
		const { id, counts } = await eraseCustomer(ctx, program, askedOf(c.req.valid('json')));
		return c.json({ success: true, data: { erasure_id: id, erased: counts } });
	})
	.get('/erasures', requireProgram('admin'), query(PageQuery), async (c) => {
		const { ctx, program } = c.var;
		const page = await listErasures(ctx, program, c.req.valid('query'));
		const data = page.rows.map(({ id, requestedAt, requestedBy, counts, nextSweepAt }) => ({
			id,
			requested_at: isoOf(requestedAt),
			requested_by: requestedBy,
			erased: counts,
			next_search_at: isoOf(nextSweepAt),
		}));
		return c.json({ success: true, data, meta: metaOf(page) });
	});

function askedOf({ customer_id: customerId, customer_key: customerKey, email, click_id: clickId }: SentPerson): PersonQuery {
	if (customerId !== undefined) return { by: 'customerId', id: customerId };
	if (customerKey !== undefined) return { by: 'customerKey', id: customerKey };
	if (email !== undefined) return { by: 'email', id: email };
	return { by: 'clickId', id: clickId ?? '' };
}

function dataOnWire(data: PersonalData) {
	return {
		customers: data.customers.map(rowOnWire),
		clicks: data.clicks.map(rowOnWire),
		leads: data.leads.map(rowOnWire),
		sales: data.sales.map(rowOnWire),
		commissions: data.commissions.map(rowOnWire),
		refunds: data.refunds.map(rowOnWire),
		refusals: data.refusals.map(rowOnWire),
		subscriptions: data.bindings.map(rowOnWire),
		processor_events: data.bodies.map(({ payload, ...row }) => rowOnWire({ ...row, body: payload })),
		dead_letters: data.deadLetters.map(rowOnWire),
		notifications: data.notifications.map(rowOnWire),
	};
}
