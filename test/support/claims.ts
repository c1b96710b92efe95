import { expect } from 'vitest';
import { aClick, type aPartner, type Funnel, rows, track } from './funnel.ts';
import { browserLead, type Customer } from './leads.ts';

// Customer keys that a page has claimed with its own click, and their customers.

export interface ClaimedCustomer extends Customer {
	readonly key_from_page: number;
}

export type Claimant = Awaited<ReturnType<typeof aPartner>>;

/** A page claims a key with a click on the partner's link. Returns the click. */
export async function aClaim(customer_key: string, by: Pick<Claimant, 'shortLink'>, fields: object = {}): Promise<string> {
	const click_id = await aClick(by);
	expect(await browserLead({ click_id, customer_key, ...fields })).toBe(200);
	return click_id;
}

/** A lead with the program key. Returns the status and whether it was attributed, or the error. */
export async function leadTo(of: Pick<Funnel, 'apiToken'>, body: object): Promise<[status: number, said: unknown]> {
	const { status, body: answer } = await track('lead', body, of.apiToken);
	return [status, answer['attributed'] ?? answer['error']];
}
export const LOCKED = [400, 'Customer status cannot be updated to lead. Current status: lead'];
export const ATTRIBUTED = [200, true];

export async function claimedBy(clickId: string): Promise<ClaimedCustomer[]> {
	return rows<ClaimedCustomer>('SELECT * FROM customers WHERE click_id = ? ORDER BY click_sequence', clickId);
}

export async function ownerOf(key: string, of: Pick<Funnel, 'id'>): Promise<ClaimedCustomer> {
	const [customer] = await rows<ClaimedCustomer>('SELECT * FROM customers WHERE program_id = ? AND customer_key = ?', of.id, key);
	if (!customer) throw new Error(`Nobody has the key ${key}`);
	return customer;
}
