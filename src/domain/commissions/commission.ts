import { addMonths, DAY_MS } from '../calendar.ts';
import { shareOf } from '../money.ts';

/** The scopes of rules, least specific first: the last one that matches a sale applies (decisions 20 and 43). */
export const SCOPES = ['default', 'product', 'group', 'group_product', 'partner', 'partner_product'] as const;

export type Scope = (typeof SCOPES)[number];

export function scopeOf(partnerId: number | null, groupId: number | null, productId: string | null): Scope {
	if (partnerId !== null) return productId === null ? 'partner' : 'partner_product';
	if (groupId !== null) return productId === null ? 'group' : 'group_product';
	return productId === null ? 'default' : 'product';
}

export interface RuleTerms {
	readonly ruleVersionId: number;
	readonly scope: Scope;
	readonly type: 'percent' | 'flat';
	readonly basisPoints: number | null;
	readonly amountCents: number | null;
	readonly currency: string | null;
	readonly recurringMonths: number | null;
	readonly holdDays: number;
}

export interface EarningSale {
	readonly amountCents: number;
	readonly currency: string;
	readonly soldAt: number;
	readonly saleDay: string;
	/** Ignored for renewals, which follow the rule's recurring limit instead. */
	readonly insideWindow: boolean;
	readonly renewalOfDay: string | undefined;
	/** A payment for the rest of a billing period (decision 42). */
	readonly isProration?: true | undefined;
	readonly isPartnerActive: boolean;
	/** The sale split by rule (decision 53), largest part first. The parts add up to the amount. */
	readonly lines?: readonly EarningLine[] | undefined;
}

/** Lines under one rule. They are rounded once, and earn a flat amount once. */
export interface EarningLine {
	/** Undefined if no rule applies. */
	readonly ruleVersionId: number | undefined;
	readonly baseCents: number;
	/** Whether all lines are prorations. */
	readonly isProration?: true | undefined;
}

/** Why a sale earned nothing, worded to end a sentence. */
export const NO_COMMISSION = {
	window_expired: 'the attribution window has expired',
	recurring_limit_reached: "the commission rule's limit on recurring payments is reached",
	proration: 'a flat commission is for first payments and regular renewals, and this is a proration',
	no_rule: 'no commission rule applies to this sale',
	partner_suspended: 'the partner is suspended',
	test_mode: 'test sales earn nothing',
} as const;

export type NoCommissionReason = keyof typeof NO_COMMISSION;

export type Earning =
	| {
			readonly kind: 'earned';
			readonly ruleVersionId: number;
			readonly amountCents: number;
			readonly status: 'pending' | 'approved';
			readonly holdUntil: number;
	  }
	| { readonly kind: 'none'; readonly reason: NoCommissionReason };

/** What a sale earns under the rules that match its partner, group and product (decisions 8, 11a, 20). */
export function earn(sale: EarningSale, rules: readonly RuleTerms[]): Earning {
	if (sale.lines) return together(earnByLine(sale, sale.lines, rules));
	return barredFrom(sale) ?? earnBy(ruleFor(sale, rules), sale, { baseCents: sale.amountCents });
}

export function earnByLine(sale: EarningSale, lines: readonly EarningLine[], rules: readonly RuleTerms[]): Earning[] {
	const barred = barredFrom(sale);
	return lines.map((line) => {
		const rule = rules.find(({ ruleVersionId }) => ruleVersionId === line.ruleVersionId);
		return barred ?? earnBy(rule, sale, line);
	});
}

/** Why a sale earns nothing under any rule; undefined if the rules decide. */
function barredFrom(sale: EarningSale): Earning | undefined {
	if (!sale.isPartnerActive) return { kind: 'none', reason: 'partner_suspended' };
	if (!sale.insideWindow && sale.renewalOfDay === undefined) return { kind: 'none', reason: 'window_expired' };
	return undefined;
}

function earnBy(rule: RuleTerms | undefined, sale: EarningSale, part: Pick<EarningLine, 'baseCents' | 'isProration'>): Earning {
	if (!rule) return { kind: 'none', reason: 'no_rule' };
	if (sale.renewalOfDay !== undefined && isPastLimit(rule, sale.renewalOfDay, sale.saleDay)) {
		return { kind: 'none', reason: 'recurring_limit_reached' };
	}
	if ((sale.isProration ?? part.isProration) && rule.type === 'flat') return { kind: 'none', reason: 'proration' };
	return {
		kind: 'earned',
		ruleVersionId: rule.ruleVersionId,
		amountCents: amountOf(rule, part.baseCents),
		status: rule.holdDays > 0 ? 'pending' : 'approved',
		holdUntil: sale.soldAt + rule.holdDays * DAY_MS,
	};
}

/** Combines the parts: the longest hold, and the rule that earned most. If none earned, the first part's reason applies. */
function together(parts: readonly Earning[]): Earning {
	const earned = parts.filter((part) => part.kind === 'earned');
	const [most] = earned.toSorted((a, b) => b.amountCents - a.amountCents);
	if (!most) return parts[0] ?? { kind: 'none', reason: 'no_rule' };
	return {
		kind: 'earned',
		ruleVersionId: most.ruleVersionId,
		amountCents: earned.reduce((sum, { amountCents }) => sum + amountCents, 0),
		status: earned.some(({ status }) => status === 'pending') ? 'pending' : 'approved',
		holdUntil: Math.max(...earned.map(({ holdUntil }) => holdUntil)),
	};
}

/** Selects the most specific rule. A flat rule applies only to sales in its currency. */
export function ruleFor({ currency }: Pick<EarningSale, 'currency'>, rules: readonly RuleTerms[]): RuleTerms | undefined {
	const usable = rules.filter((terms) => terms.type === 'percent' || terms.currency === currency);
	return usable.toSorted((a, b) => SCOPES.indexOf(b.scope) - SCOPES.indexOf(a.scope))[0];
}

function isPastLimit(rule: RuleTerms, firstSaleDay: string, saleDay: string): boolean {
	return rule.recurringMonths !== null && saleDay >= addMonths(firstSaleDay, rule.recurringMonths);
}

function amountOf(rule: RuleTerms, saleCents: number): number {
	return rule.type === 'flat' ? (rule.amountCents ?? 0) : shareOf(saleCents, rule.basisPoints ?? 0);
}
