import { sql } from 'drizzle-orm';
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { partners } from './partners.ts';

/** Where a partner's money goes, as the person behind the partner entered it. A trigger deletes it if that person changes. */
export const payoutDetails = sqliteTable(
	'payout_details',
	{
		partnerId: integer('partner_id')
			.primaryKey()
			.references(() => partners.id),
		method: text('method', { enum: ['paypal', 'wise', 'bank'] }).notNull(),
		/** Masked, for people who may not read the details. */
		summary: text('summary').notNull(),
		/** JSON of PayoutDetails under AES-GCM with the Worker's secret and the partner's id, so it does not open in another row. */
		sealed: text('sealed').notNull(),
		changedAt: integer('changed_at').notNull(),
	},
	(table) => [check('payout_details_method_known', sql`${table.method} IN ('paypal', 'wise', 'bank')`)],
);
