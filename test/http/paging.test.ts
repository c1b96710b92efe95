import { beforeAll, describe, expect, test } from 'vitest';
import { copyRow } from '../support/copied-rows.ts';
import { aCoupon } from '../support/coupons.ts';
import { aFunnel, aSale, type Funnel, rows, track } from '../support/funnel.ts';
import { signedIn } from '../support/portal.ts';
import { api, aProgram, signUp, unique } from '../support/world.ts';

// The rules that all lists share (decision 67).

const LIMIT = 3;
/** A first page, a middle one and a last one that is not full. */
const ROWS = 8;

interface ListCase {
	/** Its rows are copied, and these columns get new values. */
	readonly table: string;
	readonly changed?: Readonly<Record<string, string>>;
	readonly query?: string;
	readonly prepare?: (funnel: Funnel) => Promise<unknown>;
}

const RANDOM = 'lower(hex(randomblob(12)))';

/** Lists under /api/v1/programs/:id. */
const OF_PROGRAM: Record<string, ListCase> = {
	links: { table: 'referral_links', changed: { short_link: RANDOM } },
	'links of a partner': { table: 'referral_links', changed: { short_link: RANDOM }, query: 'partner_id' },
	coupons: { table: 'coupons', changed: { code: `upper(${RANDOM})` }, prepare: (funnel) => aCoupon(funnel) },
	groups: {
		table: 'partner_groups',
		changed: { name: RANDOM, name_key: RANDOM },
		prepare: ({ id, owner }) => api(`/api/v1/programs/${id}/groups`, { token: owner.token, body: { name: 'Friends' } }),
	},
	refusals: {
		table: 'refusals',
		changed: { fingerprint: RANDOM },
		prepare: ({ apiToken }) =>
			track('sale', { transaction_id: unique('txn'), amount_cents: 100, customer_key: unique('nobody') }, apiToken),
	},
	payouts: {
		table: 'payouts',
		changed: { op_id: RANDOM },
		prepare: async (funnel) => {
			const { commissionId } = await aSale(funnel);
			await api(`/api/v1/programs/${funnel.id}/payouts`, { token: funnel.owner.token, body: { commission_ids: [commissionId] } });
		},
	},
};

interface Listed {
	readonly id: number;
}

/** Others may add rows while somebody pages through the list. */
type Add = () => Promise<unknown>;

async function expectPaged(path: string, token: string, add: Add): Promise<void> {
	const parameters = path.includes('?') ? '&' : '?';
	const get = (query: string) => api<Listed[]>(`${path}${parameters}total=true&${query}`, { token });
	const all = async () => (await get('limit=200')).body.data.map(({ id }) => id);
	for (let { length } = await all(); length < ROWS; length += 1) await add();
	const before = await all();
	expect(before.length).toBeGreaterThanOrEqual(ROWS);

	const forward: number[] = [];
	let page = await get(`limit=${LIMIT}`);
	expect(page.body.meta).toMatchObject({ previous_cursor: null, total: before.length, total_is_more: false, offset: 0 });
	for (;;) {
		const { data, meta } = page.body;
		const added = (await all()).length - before.length;
		expect(meta).toMatchObject({ total: before.length + added, offset: forward.length + added });
		forward.push(...data.map(({ id }) => id));
		if (meta.next_cursor === null) break;
		expect(data).toHaveLength(LIMIT);
		await add();
		page = await get(`limit=${LIMIT}&cursor=${meta.next_cursor}`);
	}
	expect(forward).toEqual(before);

	const back = page.body.data.map(({ id }) => id);
	while (page.body.meta.previous_cursor !== null) {
		await add();
		page = await get(`limit=${LIMIT}&cursor=${page.body.meta.previous_cursor}`);
		const now = await all();
		const { data, meta } = page.body;
		expect(meta.offset).toBe(now.indexOf(data[0]?.id ?? 0));
		// Only the first page may be shorter.
		if (meta.previous_cursor !== null) expect(data).toHaveLength(LIMIT);
		expect(meta.next_cursor).toBe(String(data.at(-1)?.id));
		back.unshift(...data.map(({ id }) => id));
	}
	// Each row appears once, including those added since.
	expect(back).toEqual(await all());
}

describe('a list is paged forward and back while rows are added, with its total:', () => {
	test.for(Object.entries(OF_PROGRAM))('%s', async ([name, { table, changed, query, prepare }]) => {
		const funnel = await aFunnel();
		await prepare?.(funnel);
		const path = `/api/v1/programs/${funnel.id}/${name.split(' ')[0]}`;
		await expectPaged(query ? `${path}?${query}=${funnel.partnerId}` : path, funnel.owner.token, () =>
			copyRow(table, `program_id = ${funnel.id}`, changed),
		);
	});

	test.for(['newest', 'oldest', 'name'])('partners, %s first', async (sort) => {
		const funnel = await aFunnel();
		const add = async () => {
			// In these orders a new row could appear anywhere, so all rows exist from the start.
			const partnerId = await copyRow('partners', `id = ${funnel.partnerId}`, {
				name: RANDOM,
				email: `${RANDOM} || '@x.example'`,
				user_id: 'NULL',
			});
			await copyRow('partner_programs', `id = ${funnel.partnerProgramId}`, { partner_id: String(partnerId) });
			return partnerId;
		};
		for (let count = 1; count < ROWS; count += 1) await add();
		await expectPaged(`/api/v1/programs/${funnel.id}/partners?sort=${sort}`, funnel.owner.token, sort === 'newest' ? add : async () => 0);
	});

	test('the audit log', async () => {
		// The owner whom funnels share has created too many programs for one page.
		const owner = await signUp();
		await aProgram(owner);
		await expectPaged(`/api/v1/workspaces/${owner.workspaceId}/audit-log?action=program.create`, owner.token, () =>
			copyRow('audit_entries', `workspace_id = ${owner.workspaceId} AND action = 'program.create'`),
		);
	});

	test.for(['commissions', 'commissions of a partner', 'customers', 'customers of a partner'])('%s', async (name) => {
		const funnel = await aFunnel();
		await aSale(funnel);
		const path = `/api/v1/programs/${funnel.id}/${name.split(' ')[0]}`;
		const own = name.includes('partner');
		// Each commission needs a sale, and each customer a lead.
		await expectPaged(own ? `${path}?partner_id=${funnel.partnerId}` : path, funnel.owner.token, async () => {
			await aSale(funnel);
			return 0;
		});
	});

	test('sessions', async () => {
		const { owner } = await aFunnel();
		await expectPaged('/api/v1/auth/sessions', owner.token, () => copyRow('sessions', `user_id = ${owner.userId}`, { token_hash: RANDOM }));
	});

	describe('of a partner', () => {
		let [token, own, partnerId, membershipId] = ['', '', 0, 0];
		let funnel: Funnel;
		beforeAll(async () => {
			funnel = await aFunnel();
			const body = { name: 'Lin Lister', email: `${unique('lister')}@people.example` };
			const partner = await api<Parameters<typeof signedIn>[0]>(`/api/v1/programs/${funnel.id}/partners`, {
				token: funnel.owner.token,
				body,
			});
			({ token, own, id: partnerId, partner_program_id: membershipId } = await signedIn(partner.body.data));
		});

		test('links', () =>
			expectPaged(`${own}/links`, token, () => copyRow('referral_links', `partner_program_id = ${membershipId}`, { short_link: RANDOM })));

		test('notifications, some of them read', async () => {
			await rows(
				`INSERT INTO notifications (partner_id, program_id, kind, outbox_id, detail, created_at)
				VALUES (?, ?, 'membership_suspended', 'box', '{"currency":"USD"}', 1)`,
				partnerId,
				funnel.id,
			);
			let count = 0;
			await expectPaged('/api/v1/notifications', token, () => {
				count += 1;
				return copyRow('notifications', `partner_id = ${partnerId}`, {
					read_at: count % 3 === 0 ? '5' : 'NULL',
				});
			});
			await expectPaged(`/api/v1/notifications?partner_program_id=${membershipId}`, token, () =>
				copyRow('notifications', `partner_id = ${partnerId}`),
			);
		});

		test('uncredited sales', async () => {
			await aSale(funnel);
			const changed = {
				partner_program_id: String(membershipId),
				commission_state: "'none'",
				no_commission_reason: "'partner_suspended'",
				processor_event_id: RANDOM,
				op_id: RANDOM,
				created_at: 'created_at + 1',
			};
			await expectPaged(`${own}/unearned-sales`, token, async () => {
				await copyRow('affiliate_sale_events', `program_id = ${funnel.id}`, { processor_event_id: RANDOM, op_id: RANDOM });
				return copyRow('affiliate_sale_events', `program_id = ${funnel.id}`, changed);
			});
		});
	});
});

test('a total is exact up to 1,000, and "more" beyond', async () => {
	const funnel = await aFunnel();
	const path = `/api/v1/programs/${funnel.id}/links?limit=2&total=true`;
	const fill = (count: number) =>
		rows(
			`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO referral_links (program_id, partner_program_id, short_link, created_at) SELECT ?, ?, ${RANDOM}, 1 FROM n`,
			count,
			funnel.id,
			funnel.partnerProgramId,
		);
	const metaOf = async (query = '') => (await api<Listed[]>(`${path}${query}`, { token: funnel.owner.token })).body.meta;
	await fill(999);
	expect(await metaOf()).toMatchObject({ total: 1_000, total_is_more: false, offset: 0 });
	await fill(1);
	expect(await metaOf()).toMatchObject({ total: 1_000, total_is_more: true, offset: 0 });
	const [last] = await rows<{ id: number }>('SELECT min(id) AS id FROM referral_links WHERE program_id = ?', funnel.id);
	expect(await metaOf(`&cursor=-${last?.id}`)).toMatchObject({ total: 1_000, total_is_more: true, offset: 998 });
	await fill(5);
	expect(await metaOf(`&cursor=-${last?.id}`)).toMatchObject({ offset: null });
	const uncounted = await api<Listed[]>(path.replace('total=true', 'total=false'), { token: funnel.owner.token });
	expect(uncounted.body.meta).not.toHaveProperty('total');
});

test('an invalid cursor is refused', async () => {
	const funnel = await aFunnel();
	for (const cursor of ['x', '--1', '-', '-0', '1.5']) {
		const { status, body } = await api(`/api/v1/programs/${funnel.id}/links?cursor=${cursor}`, { token: funnel.owner.token });
		expect([cursor, status, body.error]).toEqual([cursor, 400, 'cursor must be a next_cursor or previous_cursor of this list']);
	}
});
