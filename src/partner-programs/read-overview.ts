import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import type { PartnerMembership } from '../accounts/partner-membership.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { commissionRules, commissionRuleVersions } from '../db/schema/commission-rules.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { scopeOf } from '../domain/commissions/commission.ts';
import { nextPayoutOf } from '../domain/commissions/own-status.ts';
import { ownMoneyOf } from '../domain/payouts/own-money.ts';
import { minimumIn, minimumOf } from '../domain/payouts/payout.ts';
import { MOST_RULES, ratesOf } from '../domain/commissions/rates.ts';
import { balancesOfPartner } from '../ledger/balances.ts';
import { selectOwnPayoutSums } from '../payouts/own-payout.ts';
import { selectMasked } from '../payouts/payout-details.ts';
import { selectDefaultLink } from '../links/own-link.ts';

export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** The first page of the portal: link to copy, where the money is, and next payout. One round trip. */
export async function readOverview(ctx: Context, membership: PartnerMembership) {
	const { id } = membership;
	const found = await read(ctx.db, {
		balances: ctx.db
			.select({ balances: balancesOfPartner(ctx.now) })
			.from(partnerPrograms)
			// The join makes Drizzle qualify the column names.
			.innerJoin(partners, eq(partners.id, partnerPrograms.partnerId))
			.where(eq(partnerPrograms.id, id)),
		rules: selectRates(ctx, membership),
		links: selectDefaultLink(ctx, membership),
		details: selectMasked(ctx, membership.partner.id),
		payouts: selectOwnPayoutSums(ctx, membership),
	});
	const balances = found.balances[0]?.balances ?? {};
	const minimum = minimumOf(undefined, membership.program);
	return {
		balances,
		money: ownMoneyOf(membership.program.currency, balances, found.payouts),
		rates: ratesOf(found.rules.map(({ partnerId, groupId, ...rule }) => ({ ...rule, scope: scopeOf(partnerId, groupId, rule.productId) }))),
		defaultLink: found.links[0],
		payoutDetails: found.details[0] ?? null,
		nextPayouts: Object.entries(balances).map(([currency, balance]) => nextPayoutOf(balance, currency, minimumIn(minimum, currency))),
	};
}

function selectRates(ctx: Context, { program, partner, groupId }: PartnerMembership) {
	return ctx.db
		.select({
			partnerId: commissionRules.partnerId,
			groupId: commissionRules.groupId,
			productId: commissionRules.productId,
			type: commissionRuleVersions.type,
			basisPoints: commissionRuleVersions.basisPoints,
			amountCents: commissionRuleVersions.amountCents,
			currency: commissionRuleVersions.currency,
			recurringMonths: commissionRuleVersions.recurringMonths,
			holdDays: commissionRuleVersions.holdDays,
		})
		.from(commissionRules)
		.innerJoin(
			commissionRuleVersions,
			and(eq(commissionRuleVersions.ruleId, commissionRules.id), eq(commissionRuleVersions.version, commissionRules.currentVersion)),
		)
		.where(
			and(
				eq(commissionRules.programId, program.id),
				isNull(commissionRules.archivedAt),
				or(isNull(commissionRules.partnerId), eq(commissionRules.partnerId, partner.id)),
				or(isNull(commissionRules.groupId), eq(commissionRules.groupId, groupId ?? 0)),
			),
		)
		.orderBy(
			sql`${commissionRules.partnerId} IS NULL`,
			sql`${commissionRules.groupId} IS NULL`,
			sql`${commissionRules.productId} IS NOT NULL`,
			asc(commissionRules.productId),
		)
		.limit(MOST_RULES);
}
