import { sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Param, Params } from '../db/prepare.ts';
import { affiliateSaleEvents, saleAliases } from '../db/schema/sales.ts';
import type { Sale } from '../domain/commissions/sale.ts';

/** A transaction_id is unique within its `idScope`. */
export interface SaleName {
	readonly transactionId: string;
	/** 0 means across all programs (decision 55). */
	readonly idScope: number;
}

export function nameOf({ transactionId, idScope = 0 }: Pick<Sale, 'transactionId' | 'idScope'>): SaleName {
	return { transactionId, idScope };
}

/** The sale that the batch inserts, for later statements. */
export function saleIdOf({ transactionId, idScope }: Params<SaleName>, isTest: boolean): SQL<number> {
	return sql`(SELECT ${affiliateSaleEvents.id} FROM ${affiliateSaleEvents}
		WHERE ${affiliateSaleEvents.transactionId} = ${transactionId} AND ${affiliateSaleEvents.isTest} = ${sql.raw(isTest ? '1' : '0')}
		AND ${affiliateSaleEvents.idScope} = ${idScope})`;
}

/**
 * The sale that an id means in a program: its own transaction_id first, otherwise a transaction_id or alias that is unique across programs.
 * Triggers prevent conflicts.
 */
export function saleIdBy(id: Param<string> | SQL, programId: Param<number>, isTest: boolean): SQL<number> {
	const test = sql.raw(isTest ? '1' : '0');
	return sql`coalesce(
		(SELECT id FROM affiliate_sale_events WHERE processor_event_id = ${id} AND is_test = ${test} AND id_scope = ${programId}),
		(SELECT id FROM affiliate_sale_events WHERE processor_event_id = ${id} AND is_test = ${test} AND id_scope = 0),
		(SELECT sale_id FROM sale_aliases WHERE alias = ${id} AND is_test = ${test}))`;
}

/** A duplicate's original. */
export function countingSaleId(saleIds: SQL): SQL<number> {
	return sql`SELECT coalesce(duplicate_of_sale_id, id) FROM affiliate_sale_events WHERE id IN (${saleIds})`;
}

/** Fails if the alias is already a transaction_id or an alias. */
export function insertAliases(ctx: Context, saleId: SQL<number> | number, isTest: boolean, aliases: readonly string[]) {
	return ctx.db.run(sql`
		INSERT INTO ${saleAliases} (alias, is_test, sale_id, created_at)
		SELECT value, ${isTest ? 1 : 0}, ${saleId}, ${ctx.now} FROM json_each(${JSON.stringify(aliases)})`);
}
