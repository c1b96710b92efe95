import { and, eq, isNull, or, sql } from 'drizzle-orm';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { commissionRules } from '../db/schema/commission-rules.ts';
import { partnerPrograms } from '../db/schema/partners.ts';
import { dayOf } from '../domain/calendar.ts';
import { earn, type NoCommissionReason, scopeOf } from '../domain/commissions/commission.ts';
import { invalid } from '../domain/rejection.ts';
import { type CommissionRule, isInForce, selectRules, toRule } from './commission-rule.ts';

/** A first sale inside the attribution window. */
export interface ImaginedSale {
	/** Undefined for a partner without rules of their own, who may be in the group. */
	readonly partnerId: number | undefined;
	readonly groupId: number | undefined;
	readonly productId: string | undefined;
	readonly amountCents: number;
	/** Default: the program's currency. */
	readonly currency: string | undefined;
}

export interface ImaginedEarning {
	readonly currency: string;
	/** Undefined if no rule applies. */
	readonly earned: { readonly rule: CommissionRule; readonly amountCents: number; readonly status: 'pending' | 'approved' } | undefined;
	readonly reason: NoCommissionReason | undefined;
}

/**
 * Computes a sale's commission under the current rules (decisions 20 and 43). One round trip. Rejects with 400 if the partner is not in the
 * program.
 */
export async function dryRunRules(ctx: Context, program: ManagedProgram, sale: ImaginedSale): Promise<ImaginedEarning> {
	const { partnerId, amountCents, currency = program.currency } = sale;
	if (partnerId !== undefined && sale.groupId !== undefined) throw invalid('Send partner_id or group_id, not both');
	const { members, rules } = await read(ctx.db, {
		members: selectMember(ctx, program.id, partnerId ?? 0),
		rules: selectMatching(ctx, program.id, sale),
	});
	const [member] = members;
	if (partnerId !== undefined && (!member || member.status === 'ended')) throw invalid('partner_id must be a partner of this program');
	const found = rules.map(toRule);
	const terms = found.map((rule) => ({
		...rule.terms,
		ruleVersionId: rule.id,
		scope: scopeOf(rule.partnerId, rule.groupId, rule.productId),
	}));
	const earning = earn(
		{
			amountCents,
			currency,
			soldAt: ctx.now,
			saleDay: dayOf(ctx.now, program.timeZone),
			insideWindow: true,
			renewalOfDay: undefined,
			isPartnerActive: member?.status !== 'suspended',
		},
		terms,
	);
	if (earning.kind === 'none') return { currency, earned: undefined, reason: earning.reason };
	const rule = found.find(({ id }) => id === earning.ruleVersionId);
	if (!rule) throw new Error('The rule that applies is missing from the rules that were read');
	return { currency, earned: { rule, amountCents: earning.amountCents, status: earning.status }, reason: undefined };
}

function selectMember(ctx: Context, programId: number, partnerId: number) {
	return ctx.db
		.select({ status: partnerPrograms.status })
		.from(partnerPrograms)
		.where(and(eq(partnerPrograms.programId, programId), eq(partnerPrograms.partnerId, partnerId)));
}

function selectMatching(ctx: Context, programId: number, { partnerId = 0, groupId, productId }: ImaginedSale) {
	const group = groupId ?? sql`(SELECT group_id FROM partner_programs WHERE program_id = ${programId} AND partner_id = ${partnerId})`;
	return selectRules(ctx).where(
		and(
			isInForce(programId),
			or(isNull(commissionRules.partnerId), eq(commissionRules.partnerId, partnerId)),
			or(isNull(commissionRules.groupId), sql`${commissionRules.groupId} = ${group}`),
			or(isNull(commissionRules.productId), productId === undefined ? undefined : eq(commissionRules.productId, productId)),
		),
	);
}
