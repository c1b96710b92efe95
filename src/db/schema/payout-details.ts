import { sql } from 'drizzle-orm';
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { partners } from './partners.ts';

/** Where the money of a partner goes, as its person said. Gone with them: a trigger takes it away where a partner's person changes. */
export const payoutDetails = sqliteTable(
	'payout_details',
	{
		partnerId: integer('partner_id')
			.primaryKey()
			.references(() => partners.id),
		method: text('method', { enum: ['paypal', 'wise', 'bank'] }).notNull(),
		/** Masked, for everybody who may know that there is one. */
		summary: text('summary').notNull(),
		/** JSON of PayoutDetails, by AES-GCM with a secret of the Worker and the partner's id: in another's row it does not open. */
		sealed: text('sealed').notNull(),
		changedAt: integer('changed_at').notNull(),
	},
	(table) => [check('payout_details_method_known', sql`${table.method} IN ('paypal', 'wise', 'bank')`)],
);
