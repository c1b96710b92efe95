import { and, eq, sql, type SQL } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { commissionRules } from '../db/schema/commission-rules.ts';
import { conflict, notFound } from '../domain/rejection.ts';
import { isSameTerms, type SentTerms, type Terms, termsOf } from '../domain/commissions/terms.ts';
import { type CommissionRule, insertRuleVersion, isInForce, selectRules, toRule } from './commission-rule.ts';

/** How often a change starts over because another one came first. */
const ATTEMPTS = 5;

/**
 * The rule's next version: commissions already made keep the terms that made them (decision 20). Owners and admins. Terms
 * left out stay; where nothing changes there is no new version.
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
	throw conflict('The rule is being changed by others: try again');
}

/** A rule in force of this program. Rejects with 404. */
export async function requireRule(ctx: Context, programId: number, ruleId: number): Promise<CommissionRule> {
	const [rule] = (await selectRules(ctx).where(and(isInForce(programId), eq(commissionRules.id, ruleId)))).map(toRule);
	if (!rule) throw notFound('Commission rule');
	return rule;
}

/** False where another change took the version, or archived the rule, since it was read. */
async function insertNextVersion(ctx: Context, program: ManagedProgram, rule: CommissionRule, terms: Terms): Promise<boolean> {
	const version = rule.version + 1;
	// NULL, which the column refuses, once the rule is archived.
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
