import { beforeAll, expect, test } from 'vitest';
import { aPartner, aShop, anEarnedCommission, type Shop } from '../support/ledger.ts';
import { aPartnerWith } from '../support/decision-runs.ts';
import { api, type Owner, signUp } from '../support/world.ts';

let owner: Owner;

beforeAll(async () => {
	owner = await signUp();
});

function pay(place: Shop, body: Record<string, unknown>) {
	return api<{ id: number }[]>(`${place.path}/payouts`, { token: owner.token, body });
}

test('payouts are listed newest first, paged and by partner', async () => {
	const place = await aShop(owner);
	const [ada, bob] = [await aPartner(place), await aPartner(place)];
	const ids: (number | undefined)[] = [];
	for (const partner of [ada, bob, ada]) {
		await anEarnedCommission(place, partner, { amountCents: 100 });
		ids.unshift((await pay(place, {})).body.data[0]?.id);
	}
	const list = (query: string) => api<{ id: number }[]>(`${place.path}/payouts${query}`, { token: owner.token });
	const first = await list('?limit=2');
	const rest = await list(`?limit=2&cursor=${first.body.meta.next_cursor}`);
	expect([...first.body.data, ...rest.body.data].map((payout) => payout.id)).toEqual(ids);
	expect(rest.body.meta.next_cursor).toBeNull();
	expect((await list(`?partner_id=${bob.id}`)).body.data.map((payout) => payout.id)).toEqual([ids[1]]);
});

test('a list has the first 20 commissions of each payout and their number, while a payout by itself has all', async () => {
	const place = await aShop(owner);
	const { commissionIds } = await aPartnerWith(place, 21);
	const [made] = (await pay(place, {})).body.data;
	const counted = { commission_count: 21, commission_ids: commissionIds };
	const inList = { commission_count: 21, commission_ids: commissionIds.slice(0, 20) };
	expect(made).toMatchObject(counted);
	const ask = (path: string) => api(`${place.path}/payouts${path}`, { token: owner.token });
	expect((await ask('')).body.data).toMatchObject([inList]);
	expect((await ask(`/${made?.id}`)).body.data).toMatchObject(counted);
	const sent = await api(`${place.path}/payouts/${made?.id}/sent`, { token: owner.token, body: {} });
	expect(sent.body.data).toMatchObject({ ...inList, status: 'sent' });
});

test('CSV quotes fields and disarms formulas', async () => {
	const place = await aShop(owner);
	const names = ['=HYPERLINK("http://evil.example")', '+1 (555), Inc.', '-12.50', '@here'];
	for (const name of names) {
		await anEarnedCommission(place, await aPartner(place, { name }), { amountCents: 1_234 });
	}
	await pay(place, {});
	const partners = await api<{ name: string; email: string }[]>(`${place.path}/partners`, { token: owner.token });
	const { headers, text } = await api(`${place.path}/payouts?limit=3`, { token: owner.token, headers: { Accept: 'text/csv' } });
	expect(headers.get('Content-Type')).toMatch(/^text\/csv/);
	const lines = text.split('\r\n');
	expect(lines[0]).toBe(
		'payout_id,partner_id,partner_name,partner_email,currency,amount_cents,recovered_cents,commission_cents,surplus_cents,commission_ids,created_at,amount_reason,status,sent_at,reference,failed_at,failure_reason,commission_count',
	);
	expect(lines).toHaveLength(5);
	const next = await api(`${place.path}/payouts?cursor=${headers.get('X-Next-Cursor')}`, {
		token: owner.token,
		headers: { Accept: 'text/csv' },
	});
	expect(next.headers.get('X-Next-Cursor')).toBeNull();
	const fields = [...lines.slice(1, 4), ...next.text.split('\r\n').slice(1, 2)].map((line) =>
		/^\d+,\d+,(.*),([^,@]+@[^,@]+),USD,1234,0,1234,0,\d+,[\dTZ:.-]+,The unpaid part of its commissions,made,,,,,1$/.exec(line)?.slice(1),
	);
	const received = [`"'=HYPERLINK(""http://evil.example"")"`, `"'+1 (555), Inc."`, '-12.50', `'@here`];
	const emailOf = (name: string | undefined) => partners.body.data.find((partner) => partner.name === name)?.email;
	expect(new Set(fields)).toEqual(new Set(received.map((name, index) => [name, emailOf(names[index])])));
});
