import type { Request } from '../world/journal.ts';
import { dayIn } from '../world/oracle.ts';
import type { CustomerRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { WORLD } from '../world/world.ts';
import { type RowInvariant, type WithRows, byId, grouped, type Invariant, violated } from './invariant.ts';
import { hashOf } from './leads.ts';

export const attribution: Invariant = { name: 'a customer is attributed to a real click of its program', check: checkAttribution };
export const origins: RowInvariant = {
	name: 'a customer has the country and source of its click',
	reads: ['customers', 'clicks'],
	check: checkOrigins,
};
export const locks: Invariant = { name: 'keys and attributions are bound once, by a request that sent them', check: checkLocks };
export const funnel: Invariant = { name: 'a status follows from leads and sales', check: checkFunnel };
export const boundaries: Invariant = { name: 'no row crosses programs', check: checkBoundaries };

function checkAttribution(sim: Simulation): void {
	for (const customer of sim.rows.customers) {
		if (customer.click_id === null || isByCoupon(customer)) continue;
		const visit = sim.issuedClicks.get(customer.click_id);
		const crashed = visit ? undefined : sim.rows.clicks.find(({ click_id }) => click_id === customer.click_id);
		if (!visit && !crashed)
			throw violated(attribution.name, `customer ${customer.id} has click ${customer.click_id}, which was never issued`);
		const linkId = visit?.linkId ?? crashed?.referral_link_id;
		const link = WORLD.links.find(({ id }) => id === linkId);
		const isRight =
			link?.programId === customer.program_id &&
			link.partnerProgramId === customer.partner_program_id &&
			link.id === customer.referral_link_id &&
			(visit?.clickedAt ?? crashed?.clicked_at) === customer.clicked_at;
		if (!isRight) throw violated(attribution.name, `customer ${customer.id} is not attributed according to its click`);
		if (visit?.isTest) throw violated(attribution.name, `customer ${customer.id} has a test click`);
	}
	for (const click of sim.rows.clicks) {
		const visit = sim.issuedClicks.get(click.click_id);
		const link = WORLD.links.find(({ id }) => id === click.referral_link_id);
		if (link?.programId !== click.program_id)
			throw violated(attribution.name, `click ${click.click_id} does not belong to its link's program`);
		if (visit && (visit.linkId !== click.referral_link_id || visit.isTest !== (click.is_test === 1))) {
			throw violated(attribution.name, `click ${click.click_id} is stored with another link or mode`);
		}
	}
}

/** Attributed to the first active link of the coupon's partner. */
function isByCoupon(customer: CustomerRow): boolean {
	if (customer.coupon_id === null) return false;
	const coupon = WORLD.coupons.find(({ id }) => id === customer.coupon_id);
	const link = WORLD.links.find(({ partnerProgramId, isArchived }) => partnerProgramId === coupon?.partnerProgramId && !isArchived);
	const isRight =
		coupon?.programId === customer.program_id &&
		coupon.partnerProgramId === customer.partner_program_id &&
		link?.id === customer.referral_link_id &&
		customer.click_sequence === 0;
	if (!isRight) throw violated(attribution.name, `customer ${customer.id} is not attributed according to its coupon`);
	return true;
}

/** Both are null until the click is stored and copied to its customers. */
function checkOrigins({ rows }: WithRows): void {
	const clicks = new Map(rows.clicks.map((click) => [click.click_id, click]));
	for (const { id, click_id, country, source } of rows.customers) {
		const click = clicks.get(click_id ?? '');
		const isKnown = country !== null || source !== null;
		if (isKnown && (click?.country !== country || click.source !== source))
			throw violated(origins.name, `customer ${id} has ${country}, ${source}; its click has ${click?.country}, ${click?.source}`);
	}
}

function checkLocks(sim: Simulation): void {
	if (sim.rows.customers === sim.before.customers) return;
	const before = byId(sim.before.customers);
	for (const customer of sim.rows.customers) {
		const old = before.get(customer.id);
		// A key that a page claimed may move: see claims.ts.
		if (old && old.customer_key !== null && old.customer_key !== customer.customer_key && old.key_from_page === 0)
			throw violated(locks.name, `customer ${customer.id} changed its key`);
		if (old && old.click_id !== null && old.click_id !== customer.click_id)
			throw violated(locks.name, `customer ${customer.id} changed its click`);
		const hasNewKey = customer.customer_key !== null && old?.customer_key !== customer.customer_key;
		const hasNewClick = customer.click_id !== null && old?.click_id !== customer.click_id;
		if ((hasNewKey || hasNewClick) && !isSentInStep(sim, customer, old, hasNewKey, hasNewClick)) {
			throw violated(
				locks.name,
				`customer ${customer.id} (${customer.customer_key}, ${customer.click_id}) has ids that no request sent together`,
			);
		}
	}
}

/** Whether a request of this step sent the new key or click with the other id. A page may only name the customer of its own click. */
function isSentInStep(
	sim: Simulation,
	customer: CustomerRow,
	old: CustomerRow | undefined,
	hasNewKey: boolean,
	hasNewClick: boolean,
): boolean {
	const requests = sim.journal.requests.filter(({ step }) => step === sim.step);
	const sent = requests.flatMap((request) => idsSentBy(request));
	if (requests.some(({ kind }) => kind === 'deliver')) sent.push(...idsReportedBy(sim));
	const isVisitor = customer.click_sequence === 0 && (old === undefined || old.click_id === customer.click_id);
	const able = sent.filter(({ isTrusted, clickId }) => isTrusted || (isVisitor && clickId === customer.click_id));
	const keyIsExplained =
		!hasNewKey ||
		able.some(
			({ customerKey, clickId, email }) =>
				customerKey === customer.customer_key &&
				(clickId === customer.click_id ||
					customer.click_id === null ||
					customer.coupon_id !== null ||
					(email !== undefined && customer.email_hash === hashOf(email))),
		);
	// A new customer's claimed key may move to another click in the same step: see claims.ts.
	const isMovedAway = ({ customerKey, isTrusted }: SentIds) =>
		!isTrusted &&
		customer.customer_key === null &&
		sent.some((other) => other.isTrusted && other.customerKey === customerKey && other.clickId !== customer.click_id);
	const clickIsExplained =
		!hasNewClick ||
		able.some(
			(ids) =>
				(ids.clickId === customer.click_id || (customer.coupon_id !== null && isCode(ids.couponCode, customer.coupon_id))) &&
				(ids.customerKey === (customer.customer_key ?? undefined) ||
					(old === undefined && (ids.customerKey === undefined || isMovedAway(ids)))),
		);
	return keyIsExplained && clickIsExplained;
}

function isCode(code: string | undefined, couponId: number): boolean {
	return WORLD.coupons.some((coupon) => coupon.id === couponId && coupon.code === code);
}

interface SentIds {
	readonly couponCode?: string | undefined;
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
	/** Set only if the email address may identify a customer. */
	readonly email: string | undefined;
	/** Authenticated by a program key or a processor's signature. */
	readonly isTrusted: boolean;
}

function idsSentBy({ params }: Request): SentIds[] {
	if ('lead' in params) {
		const { lead, isServer } = params;
		return lead.isTest ? [] : [{ ...lead, email: isServer ? lead.email : undefined, isTrusted: isServer }];
	}
	if ('sale' in params) return [{ ...params.sale, email: undefined, isTrusted: true }];
	return [];
}

/** The ids in processed events: any combination of each payer's keys and clicks. */
function idsReportedBy(sim: Simulation): SentIds[] {
	return sim.account.payers.flatMap(({ claims }) => {
		const keys = claims.map(({ customerKey }) => customerKey);
		const clicks = claims.map(({ clickId }) => clickId);
		return [undefined, ...keys].flatMap((customerKey) =>
			[undefined, ...clicks].map((clickId) => ({ customerKey, clickId, email: undefined, isTrusted: true })),
		);
	});
}

function checkFunnel({ rows }: Simulation): void {
	const zones = new Map(rows.programs.map(({ id, time_zone }) => [id, time_zone]));
	const sales = grouped(
		rows.sales.filter(({ is_test }) => is_test === 0),
		({ customer_id }) => customer_id,
	);
	const leads = grouped(
		rows.leads.filter(({ is_test }) => is_test === 0),
		({ customer_id }) => customer_id,
	);
	for (const customer of rows.customers) {
		const zone = zones.get(customer.program_id) ?? '';
		const [firstSale] = sales.get(customer.id) ?? [];
		const [firstLead] = leads.get(customer.id) ?? [];
		if (!firstSale && !firstLead) throw violated(funnel.name, `customer ${customer.id} has neither lead nor sale`);
		const status = firstSale ? 'conversion' : 'lead';
		if (customer.status !== status) throw violated(funnel.name, `customer ${customer.id} is ${customer.status}, should be ${status}`);
		const purchased = firstSale ? dayIn(zone, firstSale.created_at) : null;
		if (customer.first_purchase_date !== purchased)
			throw violated(funnel.name, `customer ${customer.id} first bought on ${customer.first_purchase_date}, should be ${purchased}`);
		if (customer.signup_date !== null && (!firstLead || customer.signup_date !== dayIn(zone, firstLead.created_at))) {
			throw violated(funnel.name, `customer ${customer.id} signed up on ${customer.signup_date}, without a lead of that day`);
		}
		if (!firstSale && customer.signup_date === null) throw violated(funnel.name, `lead ${customer.id} has no signup date`);
	}
}

function checkBoundaries({ rows }: Simulation): void {
	const customers = byId(rows.customers);
	const sales = byId(rows.sales);
	const memberships = byId(rows.memberships);
	const keys = new Set<string>();
	for (const customer of rows.customers) {
		if (customer.customer_key === null) continue;
		const key = `${customer.program_id} ${customer.customer_key}`;
		if (keys.has(key)) throw violated(boundaries.name, `key ${key} has two customers`);
		keys.add(key);
	}
	for (const lead of rows.leads) {
		if (lead.is_test === 1 ? lead.customer_id !== null : customers.get(lead.customer_id ?? 0)?.program_id !== lead.program_id) {
			throw violated(boundaries.name, `lead ${lead.id} belongs to another program's customer`);
		}
	}
	for (const sale of rows.sales) {
		if (sale.is_test === 1) {
			if (sale.customer_id !== null || sale.commission_state !== 'none' || sale.refunded_cents !== 0)
				throw violated(boundaries.name, `test sale ${sale.id} changed real state`);
			continue;
		}
		const customer = customers.get(sale.customer_id ?? 0);
		if (customer?.program_id !== sale.program_id || customer.partner_program_id !== sale.partner_program_id) {
			throw violated(boundaries.name, `sale ${sale.id} does not have its customer's program and partner`);
		}
	}
	for (const commission of rows.commissions) {
		const sale = sales.get(commission.sale_id);
		const isOwn =
			sale?.program_id === commission.program_id &&
			sale.partner_program_id === commission.partner_program_id &&
			sale.currency === commission.currency &&
			memberships.get(commission.partner_program_id)?.program_id === commission.program_id;
		if (!isOwn) throw violated(boundaries.name, `commission ${commission.id} does not match its sale`);
	}
	for (const payout of rows.payouts) {
		if (memberships.get(payout.partner_program_id)?.program_id !== payout.program_id)
			throw violated(boundaries.name, `payout ${payout.id} crosses programs`);
	}
}
