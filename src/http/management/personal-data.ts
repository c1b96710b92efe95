import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoOf } from '../../domain/instant.ts';
import { once } from '../../once.ts';
import { eraseCustomer } from '../../privacy/erase-customer.ts';
import { exportCustomer, type PersonalData } from '../../privacy/export-customer.ts';
import { listErasures } from '../../privacy/list-erasures.ts';
import type { AskedPerson } from '../../privacy/person.ts';
import type { AppEnv } from '../app-env.ts';
import { Email, Id, Identifier, Strict } from '../fields.ts';
import { metaOf, PageQuery } from '../page.ts';
import { body, query } from '../validate.ts';
import { requireProgram } from './session.ts';

/** One of the ids that a program has of a person. In a body: addresses of requests are kept in logs. */
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

function askedOf({ customer_id: customerId, customer_key: customerKey, email, click_id: clickId }: SentPerson): AskedPerson {
	if (customerId !== undefined) return { by: 'customerId', id: customerId };
	if (customerKey !== undefined) return { by: 'customerKey', id: customerKey };
	if (email !== undefined) return { by: 'email', id: email };
	return { by: 'clickId', id: clickId ?? '' };
}

/** Rows as they are stored, in the names of their columns, without what is the service's own. */
function dataOnWire(data: PersonalData) {
	return {
		customers: data.customers.map(({ revision: _revision, emailHash, ...row }) => ({
			...snakeCase(row),
			has_email_hash: emailHash !== null,
		})),
		clicks: data.clicks.map(snakeCase),
		leads: data.leads.map(({ opId: _opId, ...row }) => snakeCase(row)),
		sales: data.sales.map(({ opId: _opId, revision: _revision, lineItems, ...row }) => ({
			...snakeCase(row),
			line_items: jsonOf(lineItems),
		})),
		commissions: data.commissions.map(({ revision: _revision, ...row }) => snakeCase(row)),
		refunds: data.refunds.map(({ opId: _opId, ...row }) => snakeCase(row)),
		subscriptions: data.bindings.map(snakeCase),
		refusals: data.refusals.map(({ first_at: firstAt, last_at: lastAt, ...row }) => ({
			...row,
			first_at: isoOf(firstAt),
			last_at: isoOf(lastAt),
		})),
		processor_events: data.bodies.map(({ payload, received_at: at, ...row }) => ({
			...row,
			received_at: isoOf(at),
			body: jsonOf(payload),
		})),
		dead_letters: data.letters.map(({ body: text, created_at: at, ...row }) => ({ ...row, created_at: isoOf(at), body: jsonOf(text) })),
		notifications: data.notifications.map(({ detail, created_at: at, ...row }) => ({
			...row,
			created_at: isoOf(at),
			detail: jsonOf(detail),
		})),
	};
}

function jsonOf(text: string | null): unknown {
	return text === null ? null : JSON.parse(text);
}

type Row = Readonly<Record<string, string | number | boolean | null>>;

/** A row on the wire: instants, which end in `At` or `Until`, as ISO 8601. */
function snakeCase(row: Row): Record<string, string | number | boolean | null> {
	return Object.fromEntries(
		Object.entries(row).map(([name, value]) => [
			name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
			/(At|Until)$/.test(name) && typeof value === 'number' ? isoOf(value) : value,
		]),
	);
}
