import { sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Param, Params } from '../db/prepare.ts';
import { affiliateSaleEvents, saleAliases } from '../db/schema/sales.ts';
import type { Sale } from '../domain/commissions/sale.ts';

/** What a sale is known by: nothing else of its `idScope` has its transaction_id. */
export interface SaleName {
	readonly transactionId: string;
	/** 0: of all programs (decision 55). */
	readonly idScope: number;
}

export function nameOf({ transactionId, idScope = 0 }: Pick<Sale, 'transactionId' | 'idScope'>): SaleName {
	return { transactionId, idScope };
}

/** The id of the sale that the batch inserts, for its later statements. */
export function saleIdOf({ transactionId, idScope }: Params<SaleName>, isTest: boolean): SQL<number> {
	return sql`(SELECT ${affiliateSaleEvents.id} FROM ${affiliateSaleEvents}
		WHERE ${affiliateSaleEvents.transactionId} = ${transactionId} AND ${affiliateSaleEvents.isTest} = ${sql.raw(isTest ? '1' : '0')}
		AND ${affiliateSaleEvents.idScope} = ${idScope})`;
}

/**
 * The id of the sale that an id leads to for a program: the one that has it as the program's own, else the one of any program that has
 * it as its transaction_id or as an alias. A program has at most one of these: triggers keep them apart.
 */
export function saleIdBy(id: Param<string> | SQL, programId: Param<number>, isTest: boolean): SQL<number> {
	const test = sql.raw(isTest ? '1' : '0');
	return sql`coalesce(
		(SELECT id FROM affiliate_sale_events WHERE processor_event_id = ${id} AND is_test = ${test} AND id_scope = ${programId}),
		(SELECT id FROM affiliate_sale_events WHERE processor_event_id = ${id} AND is_test = ${test} AND id_scope = 0),
		(SELECT sale_id FROM sale_aliases WHERE alias = ${id} AND is_test = ${test}))`;
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
