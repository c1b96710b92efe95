import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { commit, decideUntilSettled, type Statement } from '../db/client.ts';
import { type Asking, type Given, type Operand, type Operands, prepare, prepareReads } from '../db/prepare.ts';
import { programs } from '../db/schema/programs.ts';
import { affiliateLeadEvents, customers } from '../db/schema/tracking.ts';
import { type Identity, identify } from '../domain/attribution.ts';
import { dayOf } from '../domain/calendar.ts';
import { notFound, Rejection } from '../domain/rejection.ts';
import { noteKeyUse, programIdOfKey, selectActiveProgram, selectProgramByKey, type TrackedProgram } from '../programs/program-key.ts';
import {
	type AskedClick,
	askedClick,
	type ClaimedClickId,
	claimClickId,
	evidenceOf,
	type FoundCustomer,
	linkIdOf,
	selectClick,
	selectCustomerByEmail,
	selectCustomerByKey,
	selectCustomerOfClick,
} from './find-customer.ts';
import { requireListedOrigin } from './find-origin.ts';
import { programIdOfLink, selectProgramOfLink } from './program-of-link.ts';
import {
	customerIdOf,
	type CustomerFacts,
	customerReference,
	type CustomerReference,
	insertCustomer,
	updateCustomer,
} from './write-customer.ts';

export interface LeadReport {
	readonly clickId: string | undefined;
	readonly customerKey: string | undefined;
	/** Normalised. */
	readonly email: string | undefined;
	readonly isTest: boolean;
}

/** A backend with a program key, the program's processor, or a page whose click id proves the attribution. */
export type LeadSource =
	| { readonly mode: 'server'; readonly keyHash: string }
	| { readonly mode: 'processor'; readonly programId: number }
	| { readonly mode: 'browser'; readonly origin: string | undefined };

export interface LeadReceipt {
	readonly leadId: number;
	readonly programId: number;
}

/**
 * Records a signup and makes its customer a `lead` (contract, 4.2; decisions 4 to 7 and 10a): one read and one write batch.
 * Rejects as section 7 lists.
 */
export async function recordLead(ctx: Context, lead: LeadReport, source: LeadSource): Promise<LeadReceipt> {
	const opId = crypto.randomUUID();
	const claim = await claimClickId(ctx, lead.clickId, lead.isTest);
	const emailHashes = lead.email === undefined ? [] : await ctx.secrets.emailHashes(lead.email);
	return decideUntilSettled(async (attempt) => {
		const own = attempt > 1 ? await findOwnLead(ctx, opId) : undefined;
		return own ?? recordOnce(ctx, lead, source, claim, emailHashes, opId);
	});
}

async function recordOnce(
	ctx: Context,
	lead: LeadReport,
	source: LeadSource,
	claim: ClaimedClickId | undefined,
	emailHashes: readonly string[],
	opId: string,
): Promise<LeadReceipt> {
	const found = await readLead(ctx, lead, source, claim, emailHashes);
	const program = admit(ctx, lead, source, found);
	if (lead.isTest) return commitLead(ctx, [], lead, program.id, nobody, opId);

	const identity = identifyLead(lead, found, program.id);
	const facts: CustomerFacts = {
		status: identity.kind === 'known' && identity.customer.status !== 'click' ? identity.customer.status : 'lead',
		signupDay: identity.kind === 'known' && identity.customer.status !== 'click' ? undefined : dayOf(ctx.now, program.timeZone),
		purchaseDay: undefined,
		// A page could claim a person by their address as well as by their key, with a click of its own.
		emailHash: source.mode === 'browser' && program.serverLeadsOnly ? undefined : emailHashes[0],
		email: program.keepEmails ? lead.email : undefined,
	};
	const write = identity.kind === 'new' ? insertCustomer(ctx, program.id, identity, facts) : updateCustomer(ctx, identity, facts);
	return commitLead(ctx, [write, ...found.key.flatMap((key) => noteKeyUse(ctx, key))], lead, program.id, customerReference(identity), opId);
}

interface AskedLead extends AskedClick {
	readonly customerKey: string | null;
	/** A JSON array; null where the address may not find anybody. */
	readonly emailHashes: string | null;
}

/** What any lead is decided upon. */
function readsForLead(asking: Asking, programId: Operand<number>, asked: Operands<AskedLead>) {
	return {
		byKey: selectCustomerByKey(asking, programId, asked.customerKey),
		click: selectClick(asking, asked),
		ofClick: selectCustomerOfClick(asking, asked.clickId),
	};
}

/** And what those may ask besides whom the program trusts to know its customers. */
function trustedReadsForLead(asking: Asking, programId: Operand<number>, asked: Operands<AskedLead>) {
	return {
		...readsForLead(asking, programId, asked),
		byEmail: selectCustomerByEmail(asking, programId, asked.emailHashes),
		elsewhere: selectAttributedElsewhere(asking, programId, asked.customerKey),
	};
}

const readForServer = prepareReads((asking, given: Given<AskedLead & { readonly keyHash: string }>) => ({
	key: selectProgramByKey(asking, given.keyHash),
	...trustedReadsForLead(asking, programIdOfKey(given.keyHash), given),
}));

const readForProcessor = prepareReads((asking, given: Given<AskedLead & { readonly programId: number }>) => ({
	ofProcessor: selectActiveProgram(asking, given.programId),
	...trustedReadsForLead(asking, given.programId, given),
}));

const readForBrowser = prepareReads((asking, given: Given<AskedLead>) => ({
	ofLink: selectProgramOfLink(asking, linkIdOf(given)),
	...readsForLead(asking, programIdOfLink(linkIdOf(given)), given),
}));

const nothing = { key: [], ofProcessor: [], ofLink: [], byEmail: [], elsewhere: [] } as const;

async function readLead(
	ctx: Context,
	lead: LeadReport,
	source: LeadSource,
	claim: ClaimedClickId | undefined,
	emailHashes: readonly string[],
) {
	const { customerKey = null } = lead;
	const asked = { ...askedClick(claim), customerKey, emailHashes: customerKey === null ? null : JSON.stringify(emailHashes) };
	switch (source.mode) {
		case 'server':
			return { ...nothing, ...(await readForServer(ctx, { ...asked, keyHash: source.keyHash })) };
		case 'processor':
			return { ...nothing, ...(await readForProcessor(ctx, { ...asked, programId: source.programId })) };
		case 'browser':
			return { ...nothing, ...(await readForBrowser(ctx, asked)) };
	}
}

type FoundForLead = Awaited<ReturnType<typeof readLead>>;

/** The program that the lead is for, once the caller may report to it. */
function admit(ctx: Context, lead: LeadReport, source: LeadSource, found: FoundForLead): TrackedProgram {
	if (source.mode === 'server') {
		const [program] = found.key;
		if (!program) throw new Rejection('program_key_unknown');
		return program;
	}
	if (source.mode === 'processor') {
		const [program] = found.ofProcessor;
		if (!program) throw notFound('Program');
		return program;
	}
	const [program] = found.ofLink;
	if (!program) throw new Rejection('lead_customer_not_found');
	requireListedOrigin(ctx, source.origin, program.id, program.allowedOrigins);
	if (program.serverLeadsOnly && lead.customerKey !== undefined) throw new Rejection('customer_key_from_browser');
	return program;
}

/** Who the lead is about. Rejects a lead that tells nothing new, and one that belongs to another program. */
function identifyLead(lead: LeadReport, found: FoundForLead, programId: number): Identity<FoundCustomer> {
	const [click] = found.click;
	const evidence = evidenceOf(programId, {
		customerKey: lead.customerKey,
		byKey: found.byKey[0],
		click,
		ofClick: found.ofClick[0],
	});
	const identity = identify(evidence);
	if (identity.kind === 'known') {
		const tellsNothing = identity.newKey === undefined && identity.newClick === undefined;
		if (tellsNothing && identity.customer.status !== 'click')
			throw new Rejection('lead_status_locked', { status: identity.customer.status });
		return identity;
	}
	if (identity.click) return identity;
	if (click && click.programId !== programId) throw new Rejection('lead_customer_elsewhere');
	if (lead.customerKey === undefined) throw new Rejection('lead_customer_not_found');
	const [byEmail] = found.byEmail;
	if (byEmail) return { kind: 'known', customer: byEmail, newKey: lead.customerKey, newClick: undefined };
	if (found.elsewhere.length > 0) throw new Rejection('lead_customer_elsewhere');
	return identity;
}

/** Whether another program of the same workspace has attributed the key (decision 7: no oracle across tenants). */
function selectAttributedElsewhere(ctx: Asking, programId: Operand<number>, customerKey: Operand<string | null>) {
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

/** Of test leads. */
const nobody: CustomerReference = { customerId: null, ofKey: null, ofClickId: null, ofClickSequence: null };

async function commitLead(
	ctx: Context,
	writes: readonly Statement[],
	{ clickId, customerKey, isTest }: LeadReport,
	programId: number,
	of: CustomerReference,
	opId: string,
): Promise<LeadReceipt> {
	const [row] = await commit(
		ctx.db,
		writes,
		insertLead(ctx, { programId, ...of, clickId: clickId ?? null, customerKey: customerKey ?? null, isTest, opId }),
	);
	if (!row) throw new Error('The lead event was not stored');
	return { leadId: row.id, programId };
}

interface NewLead extends CustomerReference {
	readonly programId: number;
	readonly clickId: string | null;
	readonly customerKey: string | null;
	readonly isTest: boolean;
	readonly opId: string;
}

const insertLead = prepare(({ db, now }, given: Given<NewLead>) => {
	const { programId, clickId, customerKey, isTest, opId } = given;
	return db
		.insert(affiliateLeadEvents)
		.values({ programId, customerId: customerIdOf(programId, given), clickId, customerKey, isTest, createdAt: now, opId })
		.returning({ id: affiliateLeadEvents.id });
});

/** This request's own lead, where the answer of its commit was lost. */
async function findOwnLead(ctx: Context, opId: string): Promise<LeadReceipt | undefined> {
	const [row] = await ctx.db
		.select({ leadId: affiliateLeadEvents.id, programId: affiliateLeadEvents.programId })
		.from(affiliateLeadEvents)
		.where(eq(affiliateLeadEvents.opId, opId));
	return row;
}
