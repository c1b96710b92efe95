// Decides independently who a lead belongs to (decisions 4 to 7, 10 and 10a). Imports nothing from src/.

import type { CustomerRow, Rows } from './rows.ts';
import { type Program, WORLD } from './world.ts';

export interface SentLead {
	/** Undefined for a page, which has no program key. */
	readonly program: Program | undefined;
	readonly clickId: string | undefined;
	readonly customerKey: string | undefined;
	readonly emailHash: string | undefined;
	/** Set only if the click id was issued for a real click. */
	readonly linkId: number | undefined;
}

/** Valid if no other request runs at the same time. */
export type ExpectedLead =
	| {
			readonly refused: string;
			/** Confirmed even though the lead is refused. */
			readonly confirms?: number;
	  }
	| ExpectedCustomer;

export interface ExpectedCustomer {
	/** Undefined if the customer is new. */
	readonly id: number | undefined;
	readonly customerKey: string | null;
	readonly clickId: string | null;
	readonly emailHash: string | null;
	/** If false, the call returns the first lead event. */
	readonly addsLead: boolean;
	/** Whether only a page has claimed the key. */
	readonly isClaim: boolean;
	/** Loses a key that only a page had claimed. */
	readonly releases?: number;
}

export function expectedLead(sent: SentLead, rows: Pick<Rows, 'customers' | 'links' | 'leads'>): ExpectedLead {
	const link = WORLD.links.find(({ id }) => id === sent.linkId);
	const isOfPartner = rows.links.some(({ id, partner_program_id }) => id === link?.id && partner_program_id !== null);
	const programId = sent.program?.id ?? link?.programId ?? undefined;
	if (programId === undefined) return refused('lead_customer_not_found');
	const isOwnClick = link?.programId === programId && isOfPartner;
	const own = rows.customers.filter(({ program_id }) => program_id === programId);
	const named = own.find(({ customer_key }) => customer_key !== null && customer_key === sent.customerKey);
	const visitor = own.find(({ click_id, click_sequence }) => click_id !== null && click_id === sent.clickId && click_sequence === 0);
	const situation = { own, named, visitor, clickId: isOwnClick ? (sent.clickId ?? null) : null };
	if (!sent.program) return expectedOfPage(sent, programId, situation, rows);
	return expectedOfBackend(sent, sent.program, { ...situation, isForeign: link !== undefined && link.programId !== programId }, rows);
}

interface Situation {
	readonly own: readonly CustomerRow[];
	readonly named: CustomerRow | undefined;
	readonly visitor: CustomerRow | undefined;
	/** Null if it belongs to another program. */
	readonly clickId: string | null;
}

/** A page may only claim a key for a visitor without one. */
function expectedOfPage(
	sent: SentLead,
	programId: number,
	{ named, visitor, clickId }: Situation,
	rows: Pick<Rows, 'leads'>,
): ExpectedLead {
	const isStrict = WORLD.programs.some(({ id, serverLeadsOnly }) => id === programId && serverLeadsOnly);
	if (isStrict && sent.customerKey !== undefined) return refused('customer_key_from_browser');
	if (named) return refused('lead_status_locked');
	if (visitor && (sent.customerKey === undefined || visitor.customer_key !== null)) return refused('lead_status_locked');
	const customerKey = sent.customerKey ?? null;
	if (visitor) {
		const hasLead = rows.leads.some(({ customer_id }) => customer_id === visitor.id);
		return { id: visitor.id, customerKey, clickId: visitor.click_id, emailHash: visitor.email_hash, addsLead: !hasLead, isClaim: true };
	}
	if (clickId === null) return refused('lead_customer_not_found');
	return { id: undefined, customerKey, clickId, emailHash: null, addsLead: true, isClaim: customerKey !== null };
}

/** The backend's click decides who gets a claimed key, until the customer has a sale. */
function expectedOfBackend(
	sent: SentLead,
	program: Program,
	situation: Situation & { readonly isForeign: boolean },
	rows: Pick<Rows, 'customers'>,
): ExpectedLead {
	const { named, clickId } = situation;
	const isOpen = named?.key_from_page === 1 && named.status === 'lead' && clickId !== null;
	if (!isOpen) return expectedOfKnown(sent, program, situation, rows);
	if (named.click_id === clickId) return { ...refused('lead_status_locked'), confirms: named.id };
	return { ...expectedOfKnown(sent, program, { ...situation, named: undefined }, rows), releases: named.id };
}

function expectedOfKnown(
	sent: SentLead,
	program: Program,
	{ own, named, visitor, clickId, isForeign }: Situation & { readonly isForeign: boolean },
	{ customers }: Pick<Rows, 'customers'>,
): ExpectedLead {
	const kept = (customer: CustomerRow) => customer.email_hash ?? sent.emailHash ?? null;
	const as = (customer: CustomerRow, change: Partial<ExpectedCustomer>): ExpectedCustomer => ({
		id: customer.id,
		customerKey: customer.customer_key,
		clickId: customer.click_id,
		emailHash: kept(customer),
		addsLead: true,
		isClaim: false,
		...change,
	});
	if (named) {
		const takes = named.click_id === null && named.status === 'lead' && clickId !== null;
		return takes ? as(named, { clickId }) : refused('lead_status_locked');
	}
	const { customerKey } = sent;
	if (customerKey === undefined) {
		if (visitor) return refused('lead_status_locked');
		if (clickId !== null)
			return { id: undefined, customerKey: null, clickId, emailHash: sent.emailHash ?? null, addsLead: true, isClaim: false };
		return refused(isForeign ? 'lead_customer_elsewhere' : 'lead_customer_not_found');
	}
	if (visitor?.customer_key === null) return as(visitor, { customerKey });
	const isNew = { id: undefined, customerKey, clickId, emailHash: sent.emailHash ?? null, addsLead: true, isClaim: false } as const;
	if (clickId !== null) return isNew;
	if (isForeign) return refused('lead_customer_elsewhere');
	const byEmail = own.find((row) => row.customer_key === null && row.email_hash !== null && row.email_hash === sent.emailHash);
	if (byEmail) return as(byEmail, { customerKey });
	const siblings = new Set(
		WORLD.programs.filter(({ id, workspaceId }) => workspaceId === program.workspaceId && id !== program.id).map(({ id }) => id),
	);
	const isElsewhere = customers.some((row) => row.customer_key === customerKey && row.click_id !== null && siblings.has(row.program_id));
	return isElsewhere ? refused('lead_customer_elsewhere') : isNew;
}

function refused(code: string): { readonly refused: string } {
	return { refused: code };
}
