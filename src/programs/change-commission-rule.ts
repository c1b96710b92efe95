import { and, eq, sql, type SQL } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { commissionRules } from '../db/schema/commission-rules.ts';
import { conflict, notFound } from '../domain/rejection.ts';
import { isSameTerms, type SentTerms, type Terms, termsOf } from '../domain/commissions/terms.ts';
import { type CommissionRule, insertRuleVersion, isInForce, selectRules, toRule } from './commission-rule.ts';

const ATTEMPTS = 5;

/**
 * Creates the next version; commissions keep their terms (decision 20). Omitted terms stay, and an unchanged rule gets no version. Needs an
 * admin. Rejects with 404, and with 409 if others keep changing the rule.
 */
export async function changeCommissionRule(
	ctx: Context,
	program: ManagedProgram,
	ruleId: number,
	sent: SentTerms,
): Promise<CommissionRule> {
	for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
		const rule = await requireRule(ctx, program.id, ruleId);
		const terms = termsOf(sent, program.currency, rule.terms);
		if (isSameTerms(terms, rule.terms)) return rule;
		if (await insertNextVersion(ctx, program, rule, terms)) return { ...rule, version: rule.version + 1, terms };
	}
	throw conflict('The rule is being changed by someone else. Try again');
}

/** Rejects with 404. */
export async function requireRule(ctx: Context, programId: number, ruleId: number): Promise<CommissionRule> {
	const [rule] = (await selectRules(ctx).where(and(isInForce(programId), eq(commissionRules.id, ruleId)))).map(toRule);
	if (!rule) throw notFound('Commission rule');
	return rule;
}

/** False if another change took the version number or archived the rule. */
async function insertNextVersion(ctx: Context, program: ManagedProgram, rule: CommissionRule, terms: Terms): Promise<boolean> {
	const version = rule.version + 1;
	// NULL violates the column's constraint if the rule was archived.
	const ruleId: SQL<number> = sql`(SELECT ${commissionRules.id} FROM ${commissionRules}
		WHERE ${commissionRules.id} = ${rule.id} AND ${commissionRules.archivedAt} IS NULL)`;
	try {
		await write(ctx.db, [
			insertRuleVersion(ctx, ruleId, version, terms),
			ctx.db.update(commissionRules).set({ currentVersion: version }).where(eq(commissionRules.id, rule.id)),
			auditProgram(ctx, program, {
				action: 'commission_rule.change',
				subjectId: rule.id,
				detail: { version, from: rule.terms, to: terms },
			}),
		]);
		return true;
	} catch (error) {
		if (refusedWith(error, 'commission_rule_versions.rule_id')) return false;
		throw error;
	}
}
