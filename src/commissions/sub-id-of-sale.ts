import { sql } from 'drizzle-orm';
import { affiliateSaleEvents as sales } from '../db/schema/sales.ts';

/**
 * The `sub_id` of the click that earned a sale: the customer's click, if both have the same partner. For queries that join these tables.
 */
export const subIdOfSale = sql<string | null>`(
	SELECT click.sub_id FROM customers buyer JOIN affiliate_click_events click ON click.click_id = buyer.click_id
	WHERE buyer.id = ${sales.customerId} AND buyer.partner_program_id = ${sales.partnerProgramId}
)`;
