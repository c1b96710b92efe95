import { createHmac } from 'node:crypto';
import type { Request } from '../world/journal.ts';
import { nameOf } from '../world/erased.ts';
import { expectedLead, type ExpectedCustomer, type ExpectedLead, type SentLead } from '../world/oracle-of-leads.ts';
import type { CustomerRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { SECRET, WORLD } from '../world/world.ts';
import { byId, type Invariant, violated } from './invariant.ts';

export const decided: Invariant = { name: 'a lead belongs to the customer that the decisions say', onAnswers: true, check: checkDecided };
export const visitors: Invariant = { name: 'a page changes no known customer, and sends one lead per click', check: checkVisitors };
export const addresses: Invariant = { name: 'only an email sent with the program key finds a customer', check: checkAddresses };

/** The hash that the service stores. */
export function hashOf(email: string): string {
	return createHmac('sha256', `email\n${SECRET}`).update(email).digest('hex');
}

function checkDecided(sim: Simulation): void {
	const [request, ...others] = sim.journal.requests.filter(({ step }) => step === sim.step);
	if (request && others.length === 0 && request.answer?.state === 'rejected' && request.kind === 'lead') checkUntouched(sim, request);
	if (!request || others.length > 0 || request.faults > 0 || request.kind !== 'lead' || !('lead' in request.params)) return;
	const { lead, program, isServer } = request.params;
	if (lead.isTest) return;
	const visit = lead.clickId === undefined ? undefined : sim.issuedClicks.get(lead.clickId);
	const expected = expectedOf(sim, {
		program: isServer ? program : undefined,
		clickId: lead.clickId,
		customerKey: lead.customerKey,
		emailHash: lead.email === undefined ? undefined : hashOf(lead.email),
		linkId: visit?.isTest ? undefined : visit?.linkId,
	});
	const { answer } = request;
	const outcome = answer?.state === 'rejected' ? answer.rejection.code : answer?.state;
	const wanted = 'refused' in expected ? expected.refused : 'answered';
	if (outcome !== wanted) throw violated(decided.name, `lead ${JSON.stringify(request.params)} was ${outcome}, should be ${wanted}`);
	if (!('refused' in expected)) checkCustomer(sim, request, expected);
	else if (sim.rows.customers.some(({ id, key_from_page }) => id === expected.confirms && key_from_page === 1))
		throw violated(decided.name, `lead ${JSON.stringify(request.params)} did not confirm the key of customer ${expected.confirms}`);
}

/** Uses the stored rows. An erased id must not return, so the lead is decided without its click, or refused. */
function expectedOf({ before, erased }: Simulation, sent: SentLead): ExpectedLead {
	const rows = { ...before, customers: before.customers.map((row) => erased.asStored(row)) };
	const gone = erased.idsIn(before);
	const bringsBack = (expected: ExpectedLead) => {
		if ('refused' in expected) return false;
		const known = rows.customers.find(({ id }) => id === expected.id);
		const visit = WORLD.links.find(({ id }) => id === sent.linkId);
		const programId = known?.program_id ?? sent.program?.id ?? visit?.programId ?? 0;
		const isGone = (id: string | null) => id !== null && gone.has(nameOf(programId, id));
		const isNewKey = expected.customerKey !== known?.customer_key;
		return (isNewKey && isGone(expected.customerKey)) || (expected.clickId !== known?.click_id && isGone(expected.clickId));
	};
	const expected = expectedLead(sent, rows);
	if (!bringsBack(expected)) return expected;
	const withoutClick = expectedLead({ ...sent, clickId: undefined, linkId: undefined }, rows);
	return bringsBack(withoutClick) ? { refused: 'lead_customer_not_found' } : withoutClick;
}

/** A refused lead may change nothing, except that a backend may confirm a key: see claims.ts. */
function checkUntouched({ rows, before }: Simulation, { params }: Request): void {
	const isServer = 'isServer' in params && params.isServer;
	const textOf = (customers: readonly CustomerRow[]) =>
		JSON.stringify(customers.map((row) => ({ ...row, ...(isServer && { key_from_page: 0 }) })));
	if (textOf(rows.customers) !== textOf(before.customers))
		throw violated(decided.name, `lead ${JSON.stringify(params)} was refused, but changed customers`);
}

function checkCustomer(sim: Simulation, { params, answer, opIds }: Request, expected: ExpectedCustomer): void {
	if (answer?.state !== 'answered' || !('attributed' in Object(answer.receipt))) return;
	const stored = (rows: readonly CustomerRow[]) => rows.map((row) => sim.erased.asStored(row));
	const before = byId(stored(sim.before.customers));
	const changed = stored(sim.rows.customers).filter((customer) => !isSame(customer, before.get(customer.id)));
	const [customer, ...more] = changed.filter(({ id }) => id !== expected.releases);
	const released = changed.find(({ id }) => id === expected.releases);
	const claimant = before.get(expected.releases ?? 0);
	const isReleased = released && claimant && isSame(released, { ...claimant, customer_key: null, email: null, key_from_page: 0 });
	const isAsExpected =
		more.length === 0 &&
		(expected.releases === undefined || isReleased) &&
		(customer?.key_from_page === 1) === expected.isClaim &&
		customer?.customer_key === expected.customerKey &&
		customer.click_id === expected.clickId &&
		customer.email_hash === expected.emailHash &&
		(expected.id === undefined ? !before.has(customer.id) : customer.id === expected.id) &&
		sim.rows.leads.some(({ op_id, customer_id }) => customer_id === customer.id && opIds.includes(op_id)) === expected.addsLead &&
		(answer.receipt as { attributed: boolean }).attributed === (expected.clickId !== null);
	if (!isAsExpected) {
		throw violated(decided.name, `lead ${JSON.stringify(params)} made ${JSON.stringify(changed)}, should be ${JSON.stringify(expected)}`);
	}
}

function isSame(customer: CustomerRow, old: CustomerRow | undefined): boolean {
	return JSON.stringify(customer) === JSON.stringify(old);
}

function checkVisitors(sim: Simulation): void {
	const first = new Map<number, number>();
	for (const { id, customer_id } of sim.rows.leads) {
		if (customer_id !== null && !first.has(customer_id)) first.set(customer_id, id);
	}
	const seen = new Set<string>();
	for (const request of sim.journal.of('lead')) {
		if (request.params.isServer) continue;
		const own = sim.rows.leads.find(({ op_id, is_test }) => is_test === 0 && request.opIds.includes(op_id));
		if (!own) continue;
		const { clickId } = request.params.lead;
		if (first.get(own.customer_id ?? 0) !== own.id) throw violated(visitors.name, `lead ${own.id} of a page is not its customer's first`);
		if (clickId === undefined || seen.has(clickId)) throw violated(visitors.name, `pages sent several leads of ${clickId}`);
		seen.add(clickId);
	}
}

function checkAddresses(sim: Simulation): void {
	if (sim.rows.customers === sim.before.customers) return;
	const before = byId(sim.before.customers);
	const sent = sim.journal
		.of('lead')
		.flatMap(({ step, params }) =>
			step === sim.step && params.isServer && params.lead.email !== undefined ? [hashOf(params.lead.email)] : [],
		);
	for (const { id, email_hash } of sim.rows.customers) {
		if (email_hash !== (before.get(id)?.email_hash ?? null) && (email_hash === null || !sent.includes(email_hash)))
			throw violated(addresses.name, `customer ${id} has an email hash that no backend sent`);
	}
}
