import { asc, eq, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { StatementContext, Param, Params } from '../db/prepare.ts';
import { partnerPrograms, referralLinks } from '../db/schema/partners.ts';
import { affiliateClickEvents } from '../db/schema/clicks.ts';
import { customers } from '../db/schema/customers.ts';
import type { DatedCustomer } from '../domain/reporting/metric-deltas.ts';
import type { Click } from '../domain/attribution/click-id.ts';
import { isErasedName } from '../domain/attribution/customer-key.ts';
import { nextSequence } from './write-customer.ts';

// Statements that look up the ids of a lead or sale.

/** `click` is undefined if the id was forged or signed with a dropped secret. */
export interface ClaimedClickId {
	readonly clickId: string;
	readonly click: Click | undefined;
}

const known = {
	id: customers.id,
	programId: customers.programId,
	revision: customers.revision,
	status: customers.status,
	signupDate: customers.signupDate,
	customerKey: customers.customerKey,
	clickId: customers.clickId,
	partnerProgramId: customers.partnerProgramId,
	clickedAt: customers.clickedAt,
	keyFromPage: customers.keyFromPage,
} as const;

export interface FoundCustomer extends DatedCustomer {
	readonly programId: number;
	readonly partnerProgramId: number | null;
	readonly clickedAt: number | null;
	readonly keyFromPage: boolean;
}

/** A test click is valid only in test mode; elsewhere its id is unknown. */
export async function claimClickId(ctx: Context, clickId: string | undefined, inTestMode: boolean): Promise<ClaimedClickId | undefined> {
	if (clickId === undefined || isErasedName(clickId)) return undefined;
	const click = await ctx.secrets.verifyClickId(clickId);
	return { clickId, click: click?.isTest && !inTestMode ? undefined : click };
}

/** All null without a click id. If the id does not verify, only the id is set. */
export interface ClickQuery {
	readonly clickId: string | null;
	readonly referralLinkId: number | null;
	readonly clickedAt: number | null;
}

export function clickQuery(claim: ClaimedClickId | undefined): ClickQuery {
	const { clickId = null, click } = claim ?? {};
	return { clickId, referralLinkId: click?.referralLinkId ?? null, clickedAt: click?.clickedAt ?? null };
}

/** Taken from the id if it verifies, otherwise from the stored row. */
export function linkIdOf({ clickId, referralLinkId }: Params<ClickQuery>): SQL<number> {
	return sql`coalesce(${referralLinkId}, (SELECT ${affiliateClickEvents.referralLinkId} FROM ${affiliateClickEvents} WHERE ${affiliateClickEvents.clickId} = ${clickId} AND ${affiliateClickEvents.isTest} = 0))`;
}

export function selectClick(ctx: StatementContext, query: Params<ClickQuery>) {
	const stored = sql`(SELECT ${affiliateClickEvents.clickedAt} FROM ${affiliateClickEvents} WHERE ${affiliateClickEvents.clickId} = ${query.clickId})`;
	return ctx.db
		.select({
			clickId: sql<string>`${query.clickId}`,
			clickedAt: sql<number>`coalesce(${query.clickedAt}, ${stored})`,
			referralLinkId: referralLinks.id,
			programId: referralLinks.programId,
			partnerProgramId: partnerPrograms.id,
			customers: nextSequence(query.clickId),
		})
		.from(referralLinks)
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, referralLinks.partnerProgramId))
		.where(eq(referralLinks.id, linkIdOf(query)));
}

/** LIMIT 1, because NULLs may repeat in the unique index and SQLite would read on. */
export function selectCustomerByKey(ctx: StatementContext, programId: Param<number>, customerKey: Param<string | null>) {
	return ctx.db
		.select(known)
		.from(customers)
		.where(sql`${customers.programId} = ${programId} AND ${customers.customerKey} = ${customerKey}`)
		.limit(1);
}

/** The customer that represents the click. */
export function selectCustomerOfClick(ctx: StatementContext, clickId: Param<string | null>) {
	return ctx.db
		.select(known)
		.from(customers)
		.where(sql`${customers.clickId} = ${clickId} AND ${customers.clickSequence} = 0`)
		.limit(1);
}

/** The first customer with this address and no key (decision 10a). `emailHashes` is a JSON array of the possible hashes. */
export function selectCustomerByEmail(ctx: StatementContext, programId: Param<number>, emailHashes: Param<string>) {
	return ctx.db
		.select(known)
		.from(customers)
		.where(
			sql`${customers.programId} = ${programId} AND ${customers.emailHash} IN (SELECT value FROM json_each(${emailHashes})) AND ${customers.customerKey} IS NULL`,
		)
		.orderBy(asc(customers.id))
		.limit(1);
}
