import { env, exports } from 'cloudflare:workers';
import { expectConformance } from './conformance.ts';
import { api, aProgram, type Owner, signUp, type TestProgram, unique } from './world.ts';

// A program with a partner, ready for tracking, and an integrator's calls.

export interface Funnel extends TestProgram {
	readonly owner: Owner;
	readonly partnerId: number;
	readonly partnerProgramId: number;
	readonly shortLink: string;
}

export interface Tracked {
	readonly status: number;
	readonly headers: Headers;
	readonly body: Record<string, unknown>;
}

let ownerOfAll: Promise<Owner> | undefined;

/** All funnels share one owner, because hashing a password is expensive. */
export function sharedOwner(): Promise<Owner> {
	ownerOfAll ??= signUp();
	return ownerOfAll;
}

/** Lets the session of the shared owner last until 2030, for tests that set the clock. */
export async function keepSignedIn(): Promise<void> {
	const { userId } = await sharedOwner();
	await env.DB.prepare('UPDATE sessions SET expires_at = ? WHERE user_id = ?')
		.bind(Date.UTC(2030, 0, 1), userId)
		.run();
}

/** By default, every sale earns 20 %, without a hold. Overrides are fields of POST /api/v1/programs. */
export async function aFunnel(overrides: Record<string, unknown> = {}, ownedBy?: Owner): Promise<Funnel> {
	const by = ownedBy ?? (await sharedOwner());
	const program = await aProgram(by, { commission: { type: 'percent', percent: 20 }, ...overrides });
	return { ...program, owner: by, ...(await aPartner(by, program.id)) };
}

export async function aPartner(by: Owner, programId: number): Promise<Pick<Funnel, 'partnerId' | 'partnerProgramId' | 'shortLink'>> {
	const { body, text } = await api<{ id: number; partner_program_id: number; links: { short_link: string }[] }>(
		`/api/v1/programs/${programId}/partners`,
		{ token: by.token, body: { name: 'Pat Partner', email: `${unique('partner')}@people.example` } },
	);
	const shortLink = body.data?.links[0]?.short_link;
	if (shortLink === undefined) throw new Error(`The partner has no link: ${text}`);
	return { partnerId: body.data.id, partnerProgramId: body.data.partner_program_id, shortLink };
}

/** A string body is sent unchanged; `key` is the program key. */
export async function track(route: string, body: unknown, key?: string, headers: Record<string, string> = {}): Promise<Tracked> {
	const response = await exports.default.fetch(`http://service.test/api/v1/track/${route}`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }), ...headers },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
	return trackedOf(`/api/v1/track/${route}`, response);
}

/** Compares the response with the OpenAPI document, and returns it. */
export async function trackedOf(path: string, response: Response): Promise<Tracked> {
	const text = await response.text();
	expectConformance({ method: 'POST', path, status: response.status, headers: response.headers, text });
	return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

/** Returns the click's id. */
export async function aClick(funnel: Pick<Funnel, 'shortLink'>): Promise<string> {
	const { status, body } = await track('click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}` });
	if (status !== 200) throw new Error(`The click answered ${status}: ${JSON.stringify(body)}`);
	return String(body['click_id']);
}

/** A customer who used the funnel's link and signed up; returns the key. */
export async function aLead(funnel: Funnel): Promise<string> {
	const customerKey = unique('customer');
	const { status, body } = await track('lead', { click_id: await aClick(funnel), customer_key: customerKey }, funnel.apiToken);
	if (status !== 200) throw new Error(`The lead answered ${status}: ${JSON.stringify(body)}`);
	return customerKey;
}

/** A recorded sale to a new lead; overrides are fields of the sale. */
export async function aSale(
	funnel: Funnel,
	overrides: Record<string, unknown> = {},
): Promise<{ transactionId: string; saleId: number; commissionId: number | null }> {
	const sale = { transaction_id: unique('txn'), amount_cents: 10_000, ...overrides };
	const customerKey = 'customer_key' in overrides || 'click_id' in overrides ? {} : { customer_key: await aLead(funnel) };
	const { status, body } = await track('sale', { ...customerKey, ...sale }, funnel.apiToken);
	if (status !== 200) throw new Error(`The sale answered ${status}: ${JSON.stringify(body)}`);
	return {
		transactionId: sale.transaction_id,
		saleId: Number(body['sale_id']),
		commissionId: body['commission_id'] === null ? null : Number(body['commission_id']),
	};
}

/** 100.00 with a quarter refunded under the id r1 and the rest of its commission paid. */
export async function aPaidSale(funnel: Funnel): Promise<Awaited<ReturnType<typeof aSale>>> {
	const sale = await aSale(funnel);
	await track('refund', { transaction_id: sale.transactionId, refund_amount_cents: 2_500, refund_id: 'r1' }, funnel.apiToken);
	const { status, text } = await api(`/api/v1/programs/${funnel.id}/payouts`, {
		token: funnel.owner.token,
		body: { commission_ids: [sale.commissionId] },
	});
	if (status !== 201) throw new Error(`The payout answered ${status}: ${text}`);
	return sale;
}

/** In cents. */
export async function balanceOf(funnel: Pick<Funnel, 'partnerProgramId'>, currency = 'USD'): Promise<number> {
	const balance = await env.DB.prepare('SELECT balance_cents FROM partner_program_balances WHERE partner_program_id = ? AND currency = ?')
		.bind(funnel.partnerProgramId, currency)
		.first<number>('balance_cents');
	return balance ?? 0;
}

/** The rows of an SQL query, for data that no route returns. */
export async function rows<Row = Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<Row[]> {
	const { results } = await env.DB.prepare(sql)
		.bind(...values)
		.all<Row>();
	return results;
}
