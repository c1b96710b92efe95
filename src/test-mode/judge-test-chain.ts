import { sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';

/** Whether the chain's partner, nobody or somebody else gets the event. */
export type StepVerdict = 'attributed' | 'unattributed' | 'wrong_partner';

/** Omits skipped and failed steps. */
export interface ChainEvents {
	readonly click?: number | undefined;
	readonly lead?: number | undefined;
	readonly sale?: number | undefined;
}

export interface Chain {
	readonly programId: number;
	readonly linkId: number | undefined;
	readonly customerKey: string;
}

export type ChainStep = keyof ChainEvents;

/** Traces rows from each event back to a link: a lead by its click, a sale by its customer's lead. */
export async function judgeTestChain(
	ctx: Context,
	{ programId, linkId, customerKey }: Chain,
	{ click, lead, sale }: ChainEvents,
): Promise<Readonly<Record<ChainStep, StepVerdict>>> {
	const ofClick = sql`affiliate_click_events c WHERE c.program_id = ${programId} AND c.is_test = 1`;
	const ofLead = sql`affiliate_lead_events l JOIN ${ofClick} AND c.click_id = l.click_id`;
	const ofSale = sql`affiliate_sale_events s JOIN affiliate_lead_events l ON l.id = ${lead ?? null} AND l.customer_key = ${customerKey}`;
	const [found] = await ctx.db.all<Record<ChainStep, number | null>>(sql`SELECT
		${linkOf(sql`${ofClick} AND c.id = ${click ?? null}`)} AS click,
		${linkOf(sql`${ofLead} AND l.id = ${lead ?? null}`)} AS lead,
		${linkOf(sql`${ofSale} JOIN ${ofClick} AND c.click_id = l.click_id AND s.id = ${sale ?? null}`)} AS sale`);
	const verdict = (of: number | null | undefined): StepVerdict => {
		if (of === null || of === undefined) return 'unattributed';
		return of === linkId ? 'attributed' : 'wrong_partner';
	};
	return { click: verdict(found?.click), lead: verdict(found?.lead), sale: verdict(found?.sale) };
}

/** NULL if the click does not exist. */
function linkOf(rows: SQL): SQL {
	return sql`(SELECT c.referral_link_id FROM ${rows})`;
}
