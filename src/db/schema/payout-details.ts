import { sql } from 'drizzle-orm';
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { partners } from './partners.ts';

/** Where to send a partner's money, entered by the person behind the partner. A trigger deletes it if that person changes. */
export const payoutDetails = sqliteTable(
	'payout_details',
	{
		partnerId: integer('partner_id')
			.primaryKey()
			.references(() => partners.id),
		method: text('method', { enum: ['paypal', 'wise', 'bank'] }).notNull(),
		/** Masked, for people who may not read the details. */
		summary: text('summary').notNull(),
		/**
		 * JSON of PayoutDetails, encrypted by AES-GCM with the Worker's secret and bound to the partner's id, so that no other row can use
		 * it.
		 */
		sealed: text('sealed').notNull(),
		changedAt: integer('changed_at').notNull(),
	},
	(table) => [check('payout_details_method_known', sql`${table.method} IN ('paypal', 'wise', 'bank')`)],
);
