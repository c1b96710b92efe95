import { and, eq, ne } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { refusedWith, violates, write } from '../db/client.ts';
import { commissionRules } from '../db/schema/commission-rules.ts';
import { partnerPrograms } from '../db/schema/partners.ts';
import { conflict, invalid } from '../domain/rejection.ts';
import { type SentTerms, termsOf } from '../domain/commissions/terms.ts';
import {
	type CommissionRule,
	insertRule,
	insertRuleVersion,
	newestRuleId,
	type RuleScope,
	selectRules,
	toRule,
} from './commission-rule.ts';

/**
 * Creates a rule with its first version (decisions 20 and 43). Needs an admin. 400 for a partner or group of another program, 409 if the
 * scope already has a rule.
 */
export async function createCommissionRule(
	ctx: Context,
	program: ManagedProgram,
	scope: RuleScope,
	sent: SentTerms,
): Promise<CommissionRule> {
	const { id: programId, currency } = program;
	const terms = termsOf(sent, currency);
	if (scope.partnerId !== null && scope.groupId !== null)
		throw invalid('Send partner_id or group_id, not both: a rule is for a partner or for a group');
	if (scope.partnerId !== null) await requirePartnerOf(ctx, programId, scope.partnerId);
	try {
		const { rules } = await write(
			ctx.db,
			[
				insertRule(ctx, programId, scope),
				insertRuleVersion(ctx, newestRuleId, 1, terms),
				auditProgram(ctx, program, { action: 'commission_rule.create', subjectId: newestRuleId, detail: { ...scope, ...terms } }),
			],
			{ rules: selectRules(ctx).where(eq(commissionRules.id, newestRuleId)) },
		);
		const [rule] = rules.map(toRule);
		if (!rule) throw new Error('The new commission rule is gone');
		return rule;
	} catch (error) {
		if (refusedWith(error, 'commission_rules: no such group')) throw invalid('group_id must be a group of this program');
		throw violates(error, 'commission_rules.program_id')
			? conflict('This scope already has a rule: change it, or archive it first')
			: error;
	}
}

async function requirePartnerOf(ctx: Context, programId: number, partnerId: number): Promise<void> {
	const [membership] = await ctx.db
		.select({ id: partnerPrograms.id })
		.from(partnerPrograms)
		.where(and(eq(partnerPrograms.programId, programId), eq(partnerPrograms.partnerId, partnerId), ne(partnerPrograms.status, 'ended')));
	if (!membership) throw invalid('partner_id must be a partner of this program');
}
