import { sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Operand } from '../db/prepare.ts';
import { affiliateSaleEvents, saleAliases } from '../db/schema/sales.ts';

/** The id of the sale that the batch inserts, for its later statements: it has its transaction_id for itself. */
export function saleIdOf(transactionId: Operand<string>, isTest: boolean): SQL<number> {
	return sql`(SELECT ${affiliateSaleEvents.id} FROM ${affiliateSaleEvents}
		WHERE ${affiliateSaleEvents.transactionId} = ${transactionId} AND ${affiliateSaleEvents.isTest} = ${sql.raw(isTest ? '1' : '0')})`;
}

/** The id of the sale that has used a transaction_id, or has it as an alias. */
export function saleIdBy(transactionId: Operand<string>, isTest: boolean): SQL<number> {
	const test = sql.raw(isTest ? '1' : '0');
	return sql`coalesce(
		(SELECT id FROM affiliate_sale_events WHERE processor_event_id = ${transactionId} AND is_test = ${test}),
		(SELECT sale_id FROM sale_aliases WHERE alias = ${transactionId} AND is_test = ${test}))`;
}

/** The id of the sale that counts: of a duplicate that of the sale whose payment it is. */
export function countingSaleId(saleIds: SQL): SQL<number> {
	return sql`SELECT coalesce(duplicate_of_sale_id, id) FROM affiliate_sale_events WHERE id IN (${saleIds})`;
}

/** A new alias that the batch makes is refused where it is a transaction_id or an alias already. */
export function insertAliases(ctx: Context, saleId: SQL<number> | number, isTest: boolean, aliases: readonly string[]) {
	return ctx.db.run(sql`
		INSERT INTO ${saleAliases} (alias, is_test, sale_id, created_at)
		SELECT value, ${isTest ? 1 : 0}, ${saleId}, ${ctx.now} FROM json_each(${JSON.stringify(aliases)})`);
}
