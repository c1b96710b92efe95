import { sql } from 'drizzle-orm';

/**
 * The `sub_id` of the customer's click, if it has the same partner as the sale. Names its table, because Drizzle omits the name if it
 * selects from one table.
 */
export const subIdOfSale = sql<string | null>`(
	SELECT coalesce(buyer.sub_id, click.sub_id) FROM customers buyer LEFT JOIN affiliate_click_events click ON click.click_id = buyer.click_id
	WHERE buyer.id = affiliate_sale_events.customer_id AND buyer.partner_program_id = affiliate_sale_events.partner_program_id
)`;
