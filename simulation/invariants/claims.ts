import type { Request } from '../world/journal.ts';
import type { CustomerRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { byId, type Invariant, violated } from './invariant.ts';

// Who may claim, confirm or move a key. Covers races, unlike the oracle of leads.

export const claims: Invariant = {
	name: 'only a backend with a click moves a key, and only if a page had claimed it',
	check: checkClaims,
};
export const namedKeys: Invariant = {
	name: 'lead events and webhook deliveries name only the key of their customer',
	reads: ['customers', 'leadKeys', 'deliveryKeys'],
	check: checkNamedKeys,
};

function checkClaims(sim: Simulation): void {
	if (sim.rows.customers === sim.before.customers) return;
	const before = byId(sim.before.customers);
	for (const customer of sim.rows.customers) {
		const old = before.get(customer.id);
		if (customer.erased_at === null) checkMark(sim, customer, old);
		if (old && old.customer_key !== null && old.customer_key !== customer.customer_key) checkMove(sim, old, customer);
	}
}

function checkMark(sim: Simulation, customer: CustomerRow, old: CustomerRow | undefined): void {
	const { id, customer_key: key, click_id: clickId } = customer;
	const isMarked = customer.key_from_page === 1;
	const isNewKey = key !== null && old?.customer_key !== key;
	if (isMarked && key === null) throw violated(claims.name, `customer ${id} is marked as claimed, but has no key`);
	if (isMarked && isNewKey && !leadsOf(sim).some(({ isServer, lead }) => !isServer && lead.customerKey === key && lead.clickId === clickId))
		throw violated(claims.name, `customer ${id} has ${key} marked as claimed, but no page sent it`);
	if (isMarked && !isNewKey && old?.key_from_page !== 1)
		throw violated(claims.name, `customer ${id} was marked as claimed for a key that it already had`);
	if (!isMarked && isNewKey && !hasBackendSent(sim, key))
		throw violated(claims.name, `customer ${id} has ${key} unmarked, but no backend sent it`);
	if (!isMarked && !isNewKey && old?.key_from_page === 1 && key !== null && !isSettled(sim, key, (sent) => sent === clickId))
		throw violated(claims.name, `customer ${id} lost the mark of ${key}, but no backend confirmed it`);
}

function checkMove(sim: Simulation, old: CustomerRow, customer: CustomerRow): void {
	const { id, customer_key: key } = old;
	if (key === null) return;
	const isClaim = old.key_from_page === 1 && old.status !== 'conversion';
	if (!isClaim || !isSettled(sim, key, (sent) => sent !== undefined && sent !== old.click_id))
		throw violated(claims.name, `customer ${id} lost its key ${key}`);
	if (customer.customer_key === null && customer.email !== null)
		throw violated(claims.name, `customer ${id} lost its key but kept its email`);
	sim.count('claimed key moved');
}

/** Whether a backend sent the key with a matching click, in a lead or in a sign-up through the custom webhook. */
function isSettled(sim: Simulation, key: string, isIt: (clickId: string | undefined) => boolean): boolean {
	const isByLead = leadsOf(sim).some(({ isServer, lead }) => isServer && lead.customerKey === key && isIt(lead.clickId));
	return isByLead || (delivers(sim) && claimsOfCustom(sim).some((said) => said.customerKey === key && isIt(said.clickId)));
}

function hasBackendSent(sim: Simulation, key: string): boolean {
	const requests = sim.journal.requests.slice(sim.firstOfStep);
	const isSent = requests.some(({ params }) =>
		'lead' in params ? params.isServer && params.lead.customerKey === key : 'sale' in params && params.sale.customerKey === key,
	);
	return isSent || (delivers(sim) && sim.account.payers.some((payer) => payer.claims.some(({ customerKey }) => customerKey === key)));
}

function leadsOf(sim: Simulation): Request<'lead'>['params'][] {
	return sim.journal.requests.slice(sim.firstOfStep).flatMap(({ params }) => ('lead' in params && !params.lead.isTest ? [params] : []));
}

function delivers(sim: Simulation): boolean {
	return sim.journal.requests.slice(sim.firstOfStep).some(({ kind }) => kind === 'deliver');
}

function claimsOfCustom(sim: Simulation) {
	return sim.account.payers.filter(({ processor }) => processor === 'custom').flatMap((payer) => payer.claims);
}

/** Erasing by key would miss rows that name another customer's key. */
function checkNamedKeys({ rows }: Simulation): void {
	const customers = byId(rows.customers);
	for (const { id, customer_id, customer_key } of rows.leadKeys) {
		const customer = customers.get(customer_id);
		if (customer?.customer_key !== customer_key)
			throw violated(namedKeys.name, `lead ${id} names ${customer_key}, its customer has ${customer?.customer_key}`);
	}
	for (const { id, customer_id, customer_key } of rows.deliveryKeys) {
		const customer = customers.get(customer_id);
		if (customer?.customer_key !== customer_key)
			throw violated(namedKeys.name, `delivery ${id} names ${customer_key}, its customer has ${customer?.customer_key}`);
	}
}
