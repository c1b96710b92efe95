import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { partnerGroups } from './groups.ts';
import { partners } from './partners.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** Which sales a rule covers. Terms have versions, so that a commission keeps those of its calculation. */
export const commissionRules = sqliteTable(
	'commission_rules',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		partnerId: integer('partner_id').references(() => partners.id),
		productId: text('product_id'),
		currentVersion: integer('current_version').notNull(),
		createdAt: integer('created_at').notNull(),
		archivedAt: integer('archived_at'),
		/** A trigger refuses a rule with both a group and a partner. */
		groupId: integer('group_id').references(() => partnerGroups.id),
	},
	(table) => [
		// At most one rule in force per scope: all sales, a product, a partner or group, or a product for a partner or group.
		uniqueIndex('commission_rules_one_default')
			.on(table.programId)
			.where(sql`${table.archivedAt} IS NULL AND ${table.partnerId} IS NULL AND ${table.groupId} IS NULL AND ${table.productId} IS NULL`),
		uniqueIndex('commission_rules_one_per_product')
			.on(table.programId, table.productId)
			.where(
				sql`${table.archivedAt} IS NULL AND ${table.partnerId} IS NULL AND ${table.groupId} IS NULL AND ${table.productId} IS NOT NULL`,
			),
		uniqueIndex('commission_rules_one_per_partner')
			.on(table.programId, table.partnerId)
			.where(sql`${table.archivedAt} IS NULL AND ${table.partnerId} IS NOT NULL AND ${table.productId} IS NULL`),
		uniqueIndex('commission_rules_one_per_partner_product')
			.on(table.programId, table.partnerId, table.productId)
			.where(sql`${table.archivedAt} IS NULL AND ${table.partnerId} IS NOT NULL AND ${table.productId} IS NOT NULL`),
		uniqueIndex('commission_rules_one_per_group')
			.on(table.programId, table.groupId)
			.where(sql`${table.archivedAt} IS NULL AND ${table.groupId} IS NOT NULL AND ${table.productId} IS NULL`),
		uniqueIndex('commission_rules_one_per_group_product')
			.on(table.programId, table.groupId, table.productId)
			.where(sql`${table.archivedAt} IS NULL AND ${table.groupId} IS NOT NULL AND ${table.productId} IS NOT NULL`),
		index('commission_rules_in_force').on(table.programId, table.partnerId, table.groupId, table.productId),
		check('commission_rules_product_named', sql`${table.productId} <> ''`),
	],
);

/** Append-only. */
export const commissionRuleVersions = sqliteTable(
	'commission_rule_versions',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		ruleId: belongsTo('rule_id', () => commissionRules.id),
		version: integer('version').notNull(),
		type: text('type', { enum: ['percent', 'flat'] }).notNull(),
		/** Percent rules only. */
		basisPoints: integer('basis_points'),
		/** Minor units of `currency`; flat rules only. */
		amountCents: integer('amount_cents'),
		/** Flat rules apply only to sales in this currency. */
		currency: text('currency'),
		/** Renewals earn for this many months after a subscription's first sale. Null: no limit. 0: only the first payment earns. */
		recurringMonths: integer('recurring_months'),
		/** Between the sale and the approval of its commission. */
		holdDays: integer('hold_days').notNull(),
		createdAt: integer('created_at').notNull(),
	},
	(table) => [
		uniqueIndex('commission_rule_versions_once').on(table.ruleId, table.version),
		check(
			'commission_rule_versions_terms',
			sql`(${table.type} = 'percent' AND ${table.basisPoints} BETWEEN 0 AND 10000 AND ${table.amountCents} IS NULL AND ${table.currency} IS NULL)
			OR (${table.type} = 'flat' AND ${table.amountCents} BETWEEN 0 AND 99999999999 AND ${table.currency} IS NOT NULL AND ${table.basisPoints} IS NULL)`,
		),
		check('commission_rule_versions_recurring_range', sql`${table.recurringMonths} BETWEEN 0 AND 1200`),
		check('commission_rule_versions_hold_range', sql`${table.holdDays} BETWEEN 0 AND 3650`),
	],
);
