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
	/** The request that asks. */
	readonly opId: string;
	readonly customerKey: string | undefined;
	/** A JSON array; undefined if the address may find nobody. */
	readonly emailHashes: string | undefined;
}

/** The reads of every lead. */
function readsForLead(asking: StatementContext, programId: Param<number>, asked: Placeholders<LeadQuery>) {
	return {
		own: selectOwnLead(asking, programId, asked.opId),
		byKey: asked.customerKey && selectCustomerByKey(asking, programId, asked.customerKey),
		click: selectClick(asking, asked),
		ofClick: selectCustomerOfClick(asking, asked.clickId),
	};
}

/** Further reads for callers that the program trusts to know its customers. */
function trustedReadsForLead(asking: StatementContext, programId: Param<number>, asked: Placeholders<LeadQuery>) {
	return {
		...readsForLead(asking, programId, asked),
		byEmail: asked.emailHashes && selectCustomerByEmail(asking, programId, asked.emailHashes),
		elsewhere: asked.customerKey && selectAttributedElsewhere(asking, programId, asked.customerKey),
	};
}

const readForServer = prepare(
	(asking, given: Placeholders<LeadQuery & { readonly keyHash: string }>) => ({
		key: selectProgramByKey(asking, given.keyHash),
		...trustedReadsForLead(asking, ASKING_PROGRAM, given),
	}),
	askingKey,
);

const readForProcessor = prepare((asking, given: Placeholders<LeadQuery & { readonly programId: number }>) => ({
	ofProcessor: selectActiveProgram(asking, given.programId),
	...trustedReadsForLead(asking, given.programId, given),
}));

const readForBrowser = prepare((asking, given: Placeholders<LeadQuery>) => ({
	ofLink: selectProgramOfLink(asking, linkIdOf(given)),
	...readsForLead(asking, programIdOfLink(linkIdOf(given)), given),
	firstLead: selectFirstLead(asking, given.clickId),
}));

const nothing = { key: [], ofProcessor: [], ofLink: [], byEmail: [], elsewhere: [], firstLead: [] } as const;

/** The key, the click id's content, the possible hashes of the address, and the request's operation. */
interface ReportedLead {
	readonly customerKey: string | undefined;
	readonly claim: ClaimedClickId | undefined;
	readonly emailHashes: readonly string[];
	readonly opId: string;
}

/** Everything that a lead is decided on. One trip. */
export async function readLead(ctx: Context, source: LeadSource, { customerKey, claim, emailHashes, opId }: ReportedLead) {
	const isByEmail = customerKey !== undefined && emailHashes.length > 0;
	const asked = { ...clickQuery(claim), opId, customerKey, emailHashes: isByEmail ? JSON.stringify(emailHashes) : undefined };
	switch (source.mode) {
		case 'server':
			return { ...nothing, ...(await read(ctx.db, readForServer(ctx, { ...asked, keyHash: source.keyHash }))) };
		case 'processor':
			return { ...nothing, ...(await read(ctx.db, readForProcessor(ctx, { ...asked, programId: source.programId }))) };
		case 'browser':
			return { ...nothing, ...(await read(ctx.db, readForBrowser(ctx, asked))) };
	}
}

export type FoundForLead = Awaited<ReturnType<typeof readLead>>;

/** This request's own lead, if the answer of its commit was lost. */
function selectOwnLead(asking: StatementContext, programId: Param<number>, opId: Param<string>) {
	return selectLeads(asking).where(
		sql`${affiliateLeadEvents.programId} = ${programId} AND ${affiliateLeadEvents.createdAt} = ${asking.now} AND ${affiliateLeadEvents.opId} = ${opId}`,
	);
}

/** The lead that created the click's customer: both have the same time. */
function selectFirstLead(asking: StatementContext, clickId: Param<string | null>) {
	return selectLeads(asking).where(
		and(
			sql`${customers.clickId} = ${clickId} AND ${customers.clickSequence} = 0`,
			eq(affiliateLeadEvents.programId, customers.programId),
			eq(affiliateLeadEvents.createdAt, customers.createdAt),
		),
	);
}

function selectLeads(asking: StatementContext) {
	return asking.db
		.select({
			leadId: affiliateLeadEvents.id,
			programId: affiliateLeadEvents.programId,
			attributed: sql`${customers.clickId} IS NOT NULL`.mapWith(Boolean),
		})
		.from(affiliateLeadEvents)
		.leftJoin(customers, eq(customers.id, affiliateLeadEvents.customerId))
		.$dynamic();
}

/** Whether another program of the same workspace has attributed the key (decision 7: tenants learn nothing of each other). */
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
