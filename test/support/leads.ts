import { rows, track } from './funnel.ts';

export interface Customer {
	readonly id: number;
	readonly status: string;
	readonly customer_key: string | null;
	readonly click_id: string | null;
	readonly click_sequence: number | null;
	readonly partner_program_id: number | null;
	readonly signup_date: string | null;
	readonly email: string | null;
	readonly email_hash: string | null;
}

export function customersOf(clickId: string): Promise<Customer[]> {
	return rows<Customer>('SELECT * FROM customers WHERE click_id = ? ORDER BY click_sequence', clickId);
}

export function customersWith(key: string, program: { readonly id: number }): Promise<Customer[]> {
	return rows<Customer>('SELECT * FROM customers WHERE program_id = ? AND customer_key = ?', program.id, key);
}

export async function browserLead(body: object): Promise<number> {
	return (await track('lead', body)).status;
}

export async function serverLead(body: object, program: { readonly apiToken: string }): Promise<number> {
	return (await track('lead', body, program.apiToken)).status;
}
