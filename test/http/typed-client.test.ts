import { exports } from 'cloudflare:workers';
import { hc } from 'hono/client';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { App } from '../../src/http/app.ts';
import { aProgram, type Owner, signUp, unique } from '../support/world.ts';

// The pages' client: the compiler knows each route's parameters, body and response (`npm run check:types`).

function clientOf({ token }: Pick<Owner, 'token'>) {
	return hc<App>('http://service.test', {
		headers: { Authorization: `Bearer ${token}` },
		fetch: (input: RequestInfo | URL, init?: RequestInit) => exports.default.fetch(new Request(input, init)),
	});
}

test('a program: created, found in a list, changed', async () => {
	const owner = await signUp();
	const { programs } = clientOf(owner).api.v1;
	const name = unique('Program');

	const made = await programs.$post({ json: { name, currency: 'eur', commission: { type: 'percent', percent: 12.5 } } });
	expect(made.status).toBe(201);
	const { data: program } = await made.json();
	expectTypeOf(program.id).toEqualTypeOf<number>();
	expectTypeOf(program.api_token).toEqualTypeOf<string>();
	expectTypeOf(program.domain).toEqualTypeOf<string | null>();
	expect(program).toMatchObject({ name, currency: 'EUR' });

	const { data, meta } = await (await programs.$get({ query: { limit: '1' } })).json();
	expectTypeOf(meta.next_cursor).toEqualTypeOf<string | null>();
	expectTypeOf(meta.total).toEqualTypeOf<number | undefined>();
	expect(data.map(({ id }) => id)).toEqual([program.id]);

	const param = { id: String(program.id) };
	const changed = await programs[':id'].$patch({ param, json: { active: false } });
	expect((await changed.json()).data.active).toBe(false);
});

test('under a program: a rule, a partner, a payout', async () => {
	const owner = await signUp();
	const { id } = await aProgram(owner);
	const param = { id: String(id) };
	const program = clientOf(owner).api.v1.programs[':id'];

	const rule = await (await program['commission-rules'].$post({ param, json: { type: 'flat', amount_cents: 500 } })).json();
	expectTypeOf(rule.data.hold_days).toEqualTypeOf<number>();
	expect(rule.data).toMatchObject({ type: 'flat', amount_cents: 500 });

	const email = `${unique('partner')}@people.example`;
	const partner = await (await program.partners.$post({ param, json: { name: 'Bea', email } })).json();
	expectTypeOf(partner.data.links[0]?.short_link).toEqualTypeOf<string | undefined>();
	const partnerId = String(partner.data.id);
	const read = await program.partners[':partnerId'].$get({ param: { ...param, partnerId } });
	const { invitation_url: link, mailed, ...added } = partner.data;
	expectTypeOf(link).toEqualTypeOf<string | null>();
	expect(mailed).toBe(false);
	expect((await read.json()).data).toEqual(added);

	// The route returns CSV or JSON; only JSON has a type.
	const payouts = await (await program.payouts.$get({ param })).json();
	expectTypeOf(payouts.data[0]?.amount_cents).toEqualTypeOf<number | undefined>();
	expect(payouts.data).toEqual([]);
});

test('reports', async () => {
	const owner = await signUp();
	const programId = String((await aProgram(owner)).id);
	const { tracking } = clientOf(owner).api;

	const report = await (await tracking.performance[':programId'].$get({ param: { programId }, query: { period: '7d' } })).json();
	if (!('metrics' in report)) throw new Error('That is a breakdown');
	expectTypeOf(report.metrics.totalRevenue).toEqualTypeOf<number>();
	expect(report.data).toHaveLength(7);

	const query = { period: '30d', country: 'DE', compare: 'previous' } as const;
	const ofGermany = await (await tracking.performance[':programId'].$get({ param: { programId }, query })).json();
	if (!('previous' in ofGermany)) throw new Error('That is the report of all');
	expectTypeOf(ofGermany.metrics.totalClicks).toEqualTypeOf<number | null>();
	expectTypeOf(ofGermany.data[0]?.totalSales).toEqualTypeOf<number | undefined>();
	expectTypeOf(ofGermany.meta.filter?.value).toEqualTypeOf<string | number | undefined>();
	expect(ofGermany.previous?.data).toHaveLength(30);

	const events = await (await tracking.events[':programId'].$get({ param: { programId } })).json();
	expectTypeOf(events.data[0]?.at).toEqualTypeOf<string | undefined>();
	expect(events).toEqual({ success: true, data: [], meta: { next_cursor: null, previous_cursor: null, clicks_retired_until: null } });

	const filter = { partner_id: '1', customer_key: 'user-1', test: 'false' } as const;
	const filtered = await tracking.events[':programId'].$get({ param: { programId }, query: filter });
	expect((await filtered.json()).data).toEqual([]);
	const event = await tracking.events[':programId'][':type'][':eventId'].$get({ param: { programId, type: 'sale', eventId: '1' } });
	const payoutOf = async () => (await event.json()).data.sales[0]?.payout?.id;
	expectTypeOf(payoutOf).returns.resolves.toEqualTypeOf<number | undefined>();
	expect(event.status).toBe(404);
});

test('notifications: all marked as read', async () => {
	const { notifications } = clientOf(await signUp()).api.v1;
	const { data } = await (await notifications.$patch({})).json();
	expectTypeOf(data).toEqualTypeOf<{ unread_count: number }>();
	expect(data).toEqual({ unread_count: 0 });
});

// Each @ts-expect-error is the assertion: without an error to expect, it is an error itself.
describe('the compiler refuses', () => {
	const { api } = clientOf({ token: 'none' });
	const param = { id: '1' };

	test('an unknown field in a body, or one with another type', async () => {
		// @ts-expect-error: the field is called name
		await api.v1.programs.$post({ json: { title: 'Shop' } });
		// @ts-expect-error: cents must be a number
		await api.v1.track.sale.$post({ json: { transaction_id: 't', amount_cents: '100' } });
		// @ts-expect-error: a status is active or suspended
		await api.v1.programs[':id'].partners[':partnerId'].$patch({ param: { id: '1', partnerId: '2' }, json: { status: 'gone' } });
	});

	test('a call without a path parameter, or to an unknown path', async () => {
		// @ts-expect-error: the program id is missing
		await api.v1.programs[':id'].links.$get();
		// @ts-expect-error: the path does not exist
		await api.v1.programs[':id'].nothing.$get({ param });
	});

	test('an invalid parameter', async () => {
		// @ts-expect-error: a status is approved, paid and so on, not done
		const { status } = await api.v1.programs[':id'].commissions.$get({ param, query: { status: 'done' } });
		expect(status).toBe(401);
		// @ts-expect-error: compare can only be previous
		await api.tracking.performance[':programId'].$get({ param: { programId: '1' }, query: { compare: 'last' } });
	});
});
