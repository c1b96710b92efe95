import { beforeAll, describe, expect, test } from 'vitest';
import { aCoupon, aRival, sell, soldBy, type TestCoupon } from '../support/coupons.ts';
import { aClick, aFunnel, aLead, balanceOf, type Funnel, rows, track } from '../support/funnel.ts';
import { api, unique } from '../support/world.ts';

// Sales with a coupon_code (decision 47).

let funnel: Funnel;
let coupon: TestCoupon;
let rival: Awaited<ReturnType<typeof aRival>>;
beforeAll(async () => {
	funnel = await aFunnel();
	coupon = await aCoupon(funnel);
	rival = await aRival(funnel);
});

const ours = (verdict: string) => ({ partner: funnel.partnerProgramId, coupon: coupon.id, verdict });
const theirs = (verdict: string) => ({ partner: rival.partnerProgramId, coupon: rival.coupon.id, verdict });
const change = (of: Funnel, path: string, body: object) =>
	api(`/api/v1/programs/${of.id}${path}`, { method: 'PATCH', token: of.owner.token, body });
const explain = async (of: Funnel, search: string) => {
	const { body } = await api<{
		conclusion: string;
		steps: { text: string }[];
		sales: { steps: { kind: string; text: string }[]; decision: { coupon: object | null }; customer: { coupon_code: string | null } }[];
	}>(`/api/v1/programs/${of.id}/explain?${search}`, { token: of.owner.token });
	return body.data;
};

describe('a customer who never clicked', () => {
	test('belongs to the partner of the coupon, in any letter case, and does not count as a click', async () => {
		const own = await aFunnel();
		const { code } = await aCoupon(own);
		const customer_key = unique('customer');
		const answer = await sell(own, { customer_key, coupon_code: ` ${code.toLowerCase()} ` });
		expect(answer).toMatchObject({ status: 200, body: { commission_id: expect.any(Number) } });
		expect(await balanceOf(own)).toBe(2_000);
		const [customer] = await rows<{ click_id: string; clicks: number }>(
			`SELECT c.click_id, c.clicked_at = s.created_at AS at_sale, (SELECT count(*) FROM affiliate_click_events WHERE click_id = c.click_id) AS clicks
			FROM customers c JOIN affiliate_sale_events s ON s.customer_id = c.id WHERE c.program_id = ? AND c.customer_key = ?`,
			own.id,
			customer_key,
		);
		expect(customer).toMatchObject({ clicks: 0, at_sale: 1, click_id: expect.stringMatching(/^cust_\d+_\d+$/) });
		const { body } = await api<{ metrics: object }>(`/api/tracking/performance/${own.id}`, { token: own.owner.token });
		expect(body).toMatchObject({ metrics: { totalClicks: 0 } });
		// The customer's next sale needs no code.
		expect(await soldBy(await sell(own, { customer_key }))).toMatchObject({ partner: own.partnerProgramId, coupon: null, verdict: null });
		// The click id created for the coupon identifies the customer, as any other does.
		expect(await soldBy(await sell(own, { click_id: customer?.click_id }))).toMatchObject({ partner: own.partnerProgramId });
	});

	test('needs no key either', async () => {
		expect(await soldBy(await sell(funnel, { coupon_code: coupon.code }))).toEqual(ours('attributed'));
	});

	test('who signed up without a partner gets the partner of the coupon', async () => {
		const customer_key = unique('customer');
		await track('lead', { customer_key }, funnel.apiToken);
		expect(await soldBy(await sell(funnel, { customer_key, coupon_code: coupon.code }))).toEqual(ours('attributed'));
		expect(await soldBy(await sell(funnel, { customer_key, coupon_code: rival.coupon.code }))).toEqual({ ...ours('other'), coupon: null });
	});
});

describe('a customer with a partner', () => {
	test('keeps the partner, whichever the program prefers', async () => {
		const own = await aFunnel({ coupon_wins: true });
		const other = await aRival(own);
		const customer_key = await aLead(own);
		const answer = await soldBy(await sell(own, { customer_key, coupon_code: other.coupon.code }));
		expect(answer).toEqual({ partner: own.partnerProgramId, coupon: null, verdict: 'other' });
	});

	test("earns from the partner's own coupon regardless of the window", async () => {
		const customer_key = await aLead(funnel);
		expect(await soldBy(await sell(funnel, { customer_key, coupon_code: coupon.code }))).toEqual(ours('own'));
	});
});

test('a click takes precedence over a coupon, unless the program decides otherwise', async () => {
	const own = await aFunnel();
	const other = await aRival(own);
	const sellByBoth = async () =>
		soldBy(await sell(own, { customer_key: unique('c'), click_id: await aClick(own), coupon_code: other.coupon.code }));
	expect(await sellByBoth()).toMatchObject({ partner: own.partnerProgramId, verdict: 'other' });
	await change(own, '', { coupon_wins: true });
	expect(await sellByBoth()).toMatchObject({ partner: other.partnerProgramId, verdict: 'attributed' });
});

describe('an unusable code never refuses the sale:', () => {
	test.each<[what: string, code: unknown]>([
		['unknown', 'nobody-has-it'],
		['too long', 'x'.repeat(65)],
		['with a line break', 'a\nb'],
		['not a text', { code: 1 }],
		['a number', 12],
	])('%s', async (_what, coupon_code) => {
		const sold = await soldBy(await sell(funnel, { customer_key: await aLead(funnel), coupon_code }));
		expect(sold).toEqual({ partner: funnel.partnerProgramId, coupon: null, verdict: 'unknown' });
	});

	test('a blank code counts as none', async () => {
		const sold = await soldBy(await sell(funnel, { customer_key: await aLead(funnel), coupon_code: ' ' }));
		expect(sold).toEqual({ partner: funnel.partnerProgramId, coupon: null, verdict: null });
	});

	test('archived, of another program, of a suspended partner, or of one who has left', async () => {
		const own = await aFunnel();
		const [archived, suspended, left] = [await aCoupon(own), await aRival(own), await aRival(own)];
		await change(own, `/coupons/${archived.id}`, { archived: true });
		await change(own, `/partners/${suspended.partnerId}`, { status: 'suspended' });
		await api(`/api/v1/programs/${own.id}/partners/${left.partnerId}`, { method: 'DELETE', token: own.owner.token });
		const verdicts: [string, unknown, number][] = [];
		for (const { code } of [archived, coupon, suspended.coupon, left.coupon]) {
			const { status } = await sell(own, { customer_key: unique('c'), coupon_code: code });
			const sold = await soldBy(await sell(own, { customer_key: await aLead(own), coupon_code: code }));
			verdicts.push([sold?.verdict ?? '', sold?.coupon, status]);
		}
		expect(verdicts).toEqual([
			['unknown', null, 400],
			['unknown', null, 400],
			['suspended', null, 400],
			['unknown', null, 400],
		]);
		await change(own, `/partners/${suspended.partnerId}`, { status: 'active' });
		expect(await soldBy(await sell(own, { coupon_code: suspended.coupon.code }))).toMatchObject({ verdict: 'attributed' });
	});
});

test('in test mode it changes nothing', async () => {
	const own = await aFunnel();
	const { code } = await aCoupon(own);
	const { status } = await sell(own, { customer_key: unique('c'), coupon_code: code, additional_data: { test_mode: true } });
	expect(status).toBe(200);
	expect(await rows('SELECT id FROM customers WHERE program_id = ?', own.id)).toEqual([]);
	expect(await rows('SELECT coupon_id FROM affiliate_sale_events WHERE program_id = ?', own.id)).toEqual([{ coupon_id: null }]);
});

describe('explain', () => {
	test('names the coupon of its sale, and of later ones', async () => {
		const [customer_key, first] = [unique('customer'), unique('txn')];
		await sell(funnel, { customer_key, coupon_code: coupon.code, transaction_id: first });
		const { sales } = await explain(funnel, `transaction_id=${first}`);
		const texts = sales[0]?.steps.map(({ text }) => text) ?? [];
		expect(texts[0]).toMatch(new RegExp(`^Bought with coupon ${coupon.code} on .*, without a click$`));
		expect(texts).toContain('Its customer was new and was attributed to the coupon');
		expect(texts).toContain(`Coupon ${coupon.code} of Pat Partner was used, and the customer was attributed to its partner`);
		expect(texts).toContain('It was bought with a coupon of its partner, so the window does not apply');
		expect(sales[0]).toMatchObject({
			decision: { coupon: { verdict: 'attributed', id: coupon.id, code: coupon.code, partner_name: 'Pat Partner' } },
			customer: { coupon_code: coupon.code },
		});
		const later = unique('txn');
		await sell(funnel, { customer_key, transaction_id: later, coupon_code: rival.coupon.code });
		const told = (await explain(funnel, `transaction_id=${later}`)).sales[0];
		expect(told?.steps[0]).toMatchObject({ kind: 'coupon', text: expect.stringContaining(coupon.code) });
		expect(told?.steps.map(({ text }) => text)).toContain(
			`Coupon ${rival.coupon.code} of Pat Partner was used, which changed nothing: a customer keeps their partner`,
		);
		const ofKey = await explain(funnel, `customer_key=${customer_key}`);
		expect(ofKey.steps[0]?.text).toContain(`with the coupon ${coupon.code}`);
		const [row] = await rows<{ click_id: string }>('SELECT click_id FROM customers WHERE customer_key = ?', customer_key);
		const ofClick = await explain(funnel, `click_id=${row?.click_id}`);
		expect(ofClick.steps[0]?.text).toBe(`This id belongs to coupon ${coupon.code}. A customer bought with it, without a click`);
	});

	test('says that no coupon had the code', async () => {
		const transaction_id = unique('txn');
		await sell(funnel, { customer_key: await aLead(funnel), coupon_code: 'black-friday', transaction_id });
		const { sales } = await explain(funnel, `transaction_id=${transaction_id}`);
		expect(sales[0]?.decision.coupon).toEqual({ verdict: 'unknown', id: null, code: null, partner_name: null });
		expect(sales[0]?.steps.map(({ text }) => text)).toContain('It had a coupon_code that no active coupon has, which changed nothing');
	});
});

test('two concurrent sales of a new customer with different coupons both go to one partner', async () => {
	for (let round = 0; round < 5; round += 1) {
		const customer_key = unique('customer');
		const answers = await Promise.all([coupon, rival.coupon].map(({ code }) => sell(funnel, { customer_key, coupon_code: code })));
		const [one, two] = [
			await soldBy(answers[0] ?? { status: 0, headers: new Headers(), body: {} }),
			await soldBy(answers[1] ?? { status: 0, headers: new Headers(), body: {} }),
		];
		expect(one?.partner).toBe(two?.partner);
		expect([one?.verdict, two?.verdict].toSorted()).toEqual(['attributed', 'other']);
		expect(one?.verdict === 'attributed' ? one : two).toEqual(
			one?.partner === funnel.partnerProgramId ? ours('attributed') : theirs('attributed'),
		);
		expect(await rows('SELECT id FROM customers WHERE customer_key = ?', customer_key)).toHaveLength(1);
	}
});
