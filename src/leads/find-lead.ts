import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { type StatementContext, type Placeholders, type Param, prepare } from '../db/prepare.ts';
import { programs } from '../db/schema/programs.ts';
import { affiliateLeadEvents, customers } from '../db/schema/customers.ts';
import { ASKING_PROGRAM, askingKey, selectActiveProgram, selectProgramByKey } from '../programs/program-key.ts';
import {
	type ClickQuery,
	clickQuery,
	type ClaimedClickId,
	linkIdOf,
	selectClick,
	selectCustomerByEmail,
	selectCustomerByKey,
	selectCustomerOfClick,
} from '../customers/find-customer.ts';
import { programIdOfLink, selectProgramOfLink } from '../programs/program-of-link.ts';

export interface LeadReport {
	readonly clickId: string | undefined;
	readonly customerKey: string | undefined;
	/** Normalised. */
	readonly email: string | undefined;
	readonly isTest: boolean;
}

/**
 * A backend with a program key, the program's processor, or a page whose click id proves the attribution. `settlesClaims`: the backend's
 * own event names the click, so it settles keys that a page has claimed.
 */
export type LeadSource =
	| { readonly mode: 'server'; readonly keyHash: string }
	| { readonly mode: 'processor'; readonly programId: number; readonly settlesClaims?: boolean }
	| { readonly mode: 'browser'; readonly origin: string | undefined };

interface LeadQuery extends ClickQuery {
	readonly opId: string;
	readonly customerKey: string | undefined;
	/** A JSON array. Undefined if the address must not find a customer. */
	readonly emailHashes: string | undefined;
}

function readsForLead(ctx: StatementContext, programId: Param<number>, query: Placeholders<LeadQuery>) {
	return {
		own: selectOwnLead(ctx, programId, query.opId),
		byKey: query.customerKey && selectCustomerByKey(ctx, programId, query.customerKey),
		click: selectClick(ctx, query),
		ofClick: selectCustomerOfClick(ctx, query.clickId),
	};
}

/** For callers that the program trusts to identify its customers. */
function trustedReadsForLead(ctx: StatementContext, programId: Param<number>, query: Placeholders<LeadQuery>) {
	return {
		...readsForLead(ctx, programId, query),
		byEmail: query.emailHashes && selectCustomerByEmail(ctx, programId, query.emailHashes),
		elsewhere: query.customerKey && selectAttributedElsewhere(ctx, programId, query.customerKey),
	};
}

const readForServer = prepare(
	(ctx, params: Placeholders<LeadQuery & { readonly keyHash: string }>) => ({
		key: selectProgramByKey(ctx, params.keyHash),
		...trustedReadsForLead(ctx, ASKING_PROGRAM, params),
	}),
	askingKey,
);

const readForProcessor = prepare((ctx, params: Placeholders<LeadQuery & { readonly programId: number }>) => ({
	ofProcessor: selectActiveProgram(ctx, params.programId),
	...trustedReadsForLead(ctx, params.programId, params),
}));

const readForBrowser = prepare((ctx, params: Placeholders<LeadQuery>) => ({
	ofLink: selectProgramOfLink(ctx, linkIdOf(params)),
	...readsForLead(ctx, programIdOfLink(linkIdOf(params)), params),
	firstLead: selectFirstLead(ctx, params.clickId),
}));

const nothing = { key: [], ofProcessor: [], ofLink: [], byEmail: [], elsewhere: [], firstLead: [] } as const;

interface ReportedLead {
	readonly customerKey: string | undefined;
	readonly claim: ClaimedClickId | undefined;
	readonly emailHashes: readonly string[];
	readonly opId: string;
}

/** Reads everything that decides about a lead in one round trip. */
export async function readLead(ctx: Context, source: LeadSource, { customerKey, claim, emailHashes, opId }: ReportedLead) {
	const isByEmail = customerKey !== undefined && emailHashes.length > 0;
	const query = { ...clickQuery(claim), opId, customerKey, emailHashes: isByEmail ? JSON.stringify(emailHashes) : undefined };
	switch (source.mode) {
		case 'server':
			return { ...nothing, ...(await read(ctx.db, readForServer(ctx, { ...query, keyHash: source.keyHash }))) };
		case 'processor':
			return { ...nothing, ...(await read(ctx.db, readForProcessor(ctx, { ...query, programId: source.programId }))) };
		case 'browser':
			return { ...nothing, ...(await read(ctx.db, readForBrowser(ctx, query))) };
	}
}

export type FoundForLead = Awaited<ReturnType<typeof readLead>>;

/** This request's own lead, if the response to its commit was lost. */
function selectOwnLead(ctx: StatementContext, programId: Param<number>, opId: Param<string>) {
	return selectLeads(ctx).where(
		sql`${affiliateLeadEvents.programId} = ${programId} AND ${affiliateLeadEvents.createdAt} = ${ctx.now} AND ${affiliateLeadEvents.opId} = ${opId}`,
	);
}

/** The lead that created the click's customer. Both have the same time. */
function selectFirstLead(ctx: StatementContext, clickId: Param<string | null>) {
	return selectLeads(ctx).where(
		and(
			sql`${customers.clickId} = ${clickId} AND ${customers.clickSequence} = 0`,
			eq(affiliateLeadEvents.programId, customers.programId),
			eq(affiliateLeadEvents.createdAt, customers.createdAt),
		),
	);
}

function selectLeads(ctx: StatementContext) {
	return ctx.db
		.select({
			leadId: affiliateLeadEvents.id,
			programId: affiliateLeadEvents.programId,
			attributed: sql`${customers.clickId} IS NOT NULL`.mapWith(Boolean),
		})
		.from(affiliateLeadEvents)
		.leftJoin(customers, eq(customers.id, affiliateLeadEvents.customerId))
		.$dynamic();
}

/** Whether another program of the same workspace has attributed the key (decision 7: tenants learn nothing about each other). */
function selectAttributedElsewhere(ctx: StatementContext, programId: Param<number>, customerKey: Param<string>) {
	return ctx.db
		.select({ id: customers.id })
		.from(programs)
		.innerJoin(
			customers,
			sql`${customers.programId} = ${programs.id} AND ${customers.customerKey} = ${customerKey} AND ${customers.partnerProgramId} IS NOT NULL`,
		)
		.where(sql`${programs.workspaceId} = (SELECT workspace_id FROM programs WHERE id = ${programId}) AND ${programs.id} <> ${programId}`)
		.limit(1);
}
