import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { applicationForms, applicationTerms } from '../db/schema/applications.ts';
import { commissionRules } from '../db/schema/commission-rules.ts';
import { programs } from '../db/schema/programs.ts';
import { inForce, isInForce as areInForce, isShown, noPage, type Terms } from '../applications/application-form.ts';
import { scopeOf } from '../domain/commissions/commission.ts';
import type { OfferedRate } from '../domain/commissions/offer.ts';
import { MOST_RULES, ratesOf } from '../domain/commissions/rates.ts';
import { type CommissionRule, isInForce, selectRules, toRule } from './commission-rule.ts';

export interface ProgramPage {
	readonly name: string;
	readonly domain: string | null;
	readonly currency: string;
	readonly cookieWindowDays: number;
	/** Smaller balances are usually not paid. In minor units of `currency`. */
	readonly payoutMinimumCents: number;
	readonly mode: 'by_approval' | 'automatic';
	readonly description: string | null;
	readonly terms: Terms | null;
	/** For a new partner, the most specific first. */
	readonly rates: readonly OfferedRate[];
}

/** The page of an active program that accepts applications. One round trip. Every other slug gets the same 404. */
export async function findProgramPage(ctx: Context, slug: string): Promise<ProgramPage> {
	const { pages, rules } = await read(ctx.db, {
		pages: ctx.db
			.select({
				name: programs.name,
				domain: programs.domain,
				currency: programs.currency,
				cookieWindowDays: programs.cookieWindowDays,
				payoutMinimumCents: programs.payoutMinimumCents,
				mode: applicationForms.mode,
				description: applicationForms.description,
				terms: { version: applicationTerms.version, text: applicationTerms.text, createdAt: applicationTerms.createdAt },
			})
			.from(applicationForms)
			.innerJoin(programs, eq(programs.id, applicationForms.programId))
			.leftJoin(applicationTerms, areInForce)
			.where(isShown(slug)),
		rules: selectRulesOfNew(ctx, slug),
	});
	const [page] = pages;
	if (!page || page.mode === 'closed') throw noPage();
	return { ...page, mode: page.mode, terms: inForce(page.terms), rates: ratesOf(rules.map((row) => ratedOf(toRule(row)))) };
}

function ratedOf({ partnerId, groupId, productId, terms }: CommissionRule) {
	return { ...terms, productId, scope: scopeOf(partnerId, groupId, productId) };
}

/** Groups first, because they precede if there are too many. */
function selectRulesOfNew(ctx: Context, slug: string) {
	const ofForm = (column: 'program_id' | 'group_id') =>
		sql<number>`(SELECT ${sql.raw(column)} FROM application_forms WHERE slug = ${slug})`;
	return selectRules(ctx)
		.where(
			and(
				isInForce(ofForm('program_id')),
				isNull(commissionRules.partnerId),
				or(isNull(commissionRules.groupId), eq(commissionRules.groupId, ofForm('group_id'))),
			),
		)
		.orderBy(sql`${commissionRules.groupId} IS NULL`, sql`${commissionRules.productId} IS NOT NULL`, asc(commissionRules.productId))
		.limit(MOST_RULES);
}
