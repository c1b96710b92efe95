import type { Context } from '../context.ts';
import { retryOnConflict, type Statement, write } from '../db/client.ts';
import { type Placeholders, prepare } from '../db/prepare.ts';
import { affiliateLeadEvents } from '../db/schema/customers.ts';
import { type Evidence, evidenceOf, type Identity, identifyLead, identifyVisitor, settleClaim } from '../domain/attribution/attribution.ts';
import { dayOf } from '../domain/calendar.ts';
import { deltasOfCustomer } from '../domain/reporting/metric-deltas.ts';
import { refusedCallOf } from '../domain/refusal.ts';
import { notFound, Rejection } from '../domain/rejection.ts';
import { noteRefusal } from '../programs/note-refusal.ts';
import { noteKeyUse, type TrackedProgram } from '../programs/program-key.ts';
import { hashesOf, hashesOfNewIds, unlessErased, withoutErased } from '../customers/erased-ids.ts';
import { claimClickId, type FoundCustomer } from '../customers/find-customer.ts';
import { type FoundForLead, type LeadReport, type LeadSource, readLead } from './find-lead.ts';
import { requireListedOrigin } from '../programs/find-origin.ts';
import { noteUncreditedLead } from './note-uncredited-lead.ts';
import { insertLeadOutbox } from './lead-outbox.ts';
import { confirmKey, releaseKey } from './settle-claim.ts';
import {
	customerIdOf,
	type CustomerFacts,
	customerReference,
	type CustomerReference,
	insertCustomer,
	updateCustomer,
} from '../customers/write-customer.ts';

export interface LeadReceipt {
	readonly leadId: number;
	readonly programId: number;
	/** Whether the customer has a partner. */
	readonly attributed: boolean;
}

interface Operation {
	readonly opId: string;
	/** The known customer that it tried to give a key. */
	naming?: number;
}

/**
 * Records a sign-up and makes its customer a `lead` (contract, 4.2; decisions 4 to 7 and 10a). One read and one write batch. Rejects as
 * section 7 lists.
 */
export async function recordLead(ctx: Context, lead: LeadReport, source: LeadSource): Promise<LeadReceipt> {
	const operation: Operation = { opId: crypto.randomUUID() };
	const claim = await claimClickId(ctx, lead.clickId, lead.isTest);
	// Later calls must not match an address from a page, because anyone could submit somebody else's with a click of their own.
	const emailHashes = lead.email === undefined || source.mode === 'browser' ? [] : await ctx.secrets.emailHashes(lead.email);
	return withoutErased('lead_customer_not_found', claim, async (usable) => {
		const usableLead = { ...lead, clickId: claim && !usable ? undefined : lead.clickId };
		return retryOnConflict(async () => {
			const { customerKey } = lead;
			const found = await readLead(ctx, source, { customerKey, claim: usable, emailHashes, opId: operation.opId });
			const request = { lead: usableLead, source, emailHash: emailHashes[0], operation };
			return ownWork(found, operation) ?? recordOnce(ctx, request, found).catch((error: unknown) => rejectWith(ctx, request, found, error));
		});
	});
}

/** The result of this request, if it was committed but the response was lost. */
function ownWork({ own, byKey, firstLead }: FoundForLead, { naming }: Operation): LeadReceipt | undefined {
	return own[0] ?? (naming !== undefined && naming === byKey[0]?.id ? firstLead[0] : undefined);
}

/** Records the refusal of a page's lead. Other code records those of backends and of refused origins. */
function rejectWith(ctx: Context, { lead, source }: LeadRequest, { ofLink: [program] }: FoundForLead, error: unknown): never {
	if (source.mode === 'browser' && program && error instanceof Rejection && error.code !== 'origin_not_allowed' && !lead.isTest) {
		const call = { click_id: lead.clickId, customer_key: lead.customerKey };
		noteRefusal(ctx, { programId: program.id }, refusedCallOf('lead', 'page', call), error);
	}
	throw error;
}

interface LeadRequest {
	readonly lead: LeadReport;
	readonly source: LeadSource;
	readonly emailHash: string | undefined;
	readonly operation: Operation;
}

async function recordOnce(ctx: Context, { lead, source, emailHash, operation }: LeadRequest, found: FoundForLead): Promise<LeadReceipt> {
	const { opId } = operation;
	const program = admit(ctx, lead, source, found);
	if (lead.isTest) {
		if (lead.clickId === undefined && lead.customerKey === undefined) throw new Rejection('lead_customer_not_found');
		return commitLead(ctx, [], { lead, programId: program.id, identity: undefined, opId });
	}

	const isPage = source.mode === 'browser';
	const claim = settlesClaims(source) ? settleClaim(evidenceOfLead(lead, found, program.id)) : undefined;
	if (claim?.kind === 'confirmed') await confirmKey(ctx, claim.claimant);
	const released = claim?.kind === 'moved' ? claim : undefined;
	const identity =
		released?.identity ?? (isPage ? identifyByPage(ctx, lead, found, program.id) : identifyByBackend(lead, found, program.id));
	const isKnown = identity.kind === 'known' && identity.customer.status !== 'click';
	const facts: CustomerFacts = {
		status: isKnown ? identity.customer.status : 'lead',
		signupDay: isKnown ? undefined : dayOf(ctx.now, program.timeZone),
		purchaseDay: undefined,
		emailHash,
		email: program.keepEmails && !(isPage && isKnown) ? lead.email : undefined,
		newIdHashes: await hashesOfNewIds(ctx, identity, lead.clickId),
		keyFromPage: isPage && lead.customerKey !== undefined ? true : undefined,
	};
	const writes = [
		...(released ? releaseKey(ctx, released.claimant) : []),
		identity.kind === 'new' ? insertCustomer(ctx, program.id, identity, facts) : updateCustomer(ctx, identity, facts),
	];
	const [firstLead] = found.firstLead;
	if (identity.kind === 'known' && firstLead) {
		operation.naming = identity.customer.id;
		await write(ctx.db, writes);
		return firstLead;
	}
	const moves = deltasOfCustomer(identity, facts);
	const counted =
		moves.length === 0 ? [] : [insertLeadOutbox(ctx, { programId: program.id, ...customerReference(identity), id: opId, moves })];
	const noted = found.key.flatMap((key) => noteKeyUse(ctx, key));
	return commitLead(ctx, [...writes, ...counted, ...noted], { lead, programId: program.id, identity, opId });
}

/** Only a backend knows its customers, so pages and processors settle no claims. */
function settlesClaims(source: LeadSource): boolean {
	return source.mode === 'server' || (source.mode === 'processor' && source.settlesClaims === true);
}

/** The lead's program, if the caller may report to it. */
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

/** A new customer, or the click's customer, which gets a key (see identifyVisitor). Rejects changes to anybody else. */
function identifyByPage(ctx: Context, lead: LeadReport, found: FoundForLead, programId: number): Identity<FoundCustomer> {
	const evidence = evidenceOfLead(lead, found, programId);
	const identity = identifyVisitor(evidence);
	if (identity.kind === 'nobody') throw new Rejection('lead_customer_not_found');
	if (identity.kind !== 'locked') return identity;
	const { status, clickId } = identity.customer;
	if (clickId === null && evidence.click) noteUncreditedLead(ctx, programId);
	throw new Rejection('lead_status_locked', { status });
}

/** Rejects a lead that changes nothing, and a lead of another program. */
function identifyByBackend(lead: LeadReport, found: FoundForLead, programId: number): Identity<FoundCustomer> {
	const [click] = found.click;
	const identity = identifyLead(evidenceOfLead(lead, found, programId));
	if (identity.kind === 'known') {
		const saysNothing = identity.newKey === undefined && identity.newClick === undefined;
		if (saysNothing && identity.customer.status !== 'click')
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

function evidenceOfLead({ customerKey }: LeadReport, { byKey, click, ofClick }: FoundForLead, programId: number): Evidence<FoundCustomer> {
	return evidenceOf(programId, { customerKey, byKey: byKey[0], click: click[0], ofClick: ofClick[0] });
}

const nobody: CustomerReference = { customerId: null };

interface DecidedLead {
	readonly lead: LeadReport;
	readonly programId: number;
	/** Undefined for test leads. */
	readonly identity: Identity<FoundCustomer> | undefined;
	readonly opId: string;
}

async function commitLead(
	ctx: Context,
	writes: readonly Statement[],
	{ lead: reported, programId, identity, opId }: DecidedLead,
): Promise<LeadReceipt> {
	const { clickId, customerKey, isTest } = reported;
	const of = identity ? customerReference(identity) : nobody;
	const testedHashes = isTest ? await hashesOf(ctx, [customerKey, clickId]) : undefined;
	const { lead } = await write(ctx.db, writes, {
		lead: insertLead(ctx, { programId, ...of, clickId: clickId ?? null, customerKey: customerKey ?? null, isTest, opId, testedHashes }),
	});
	const [row] = lead;
	if (!row) throw new Error('The lead event was not stored');
	return { leadId: row.id, programId, attributed: identity !== undefined && isAttributed(identity) };
}

function isAttributed(identity: Identity<FoundCustomer>): boolean {
	if (identity.kind === 'new') return identity.click !== undefined;
	return identity.customer.clickId !== null || identity.newClick !== undefined;
}

interface NewLead extends CustomerReference {
	readonly programId: number;
	readonly clickId: string | null;
	readonly customerKey: string | null;
	readonly isTest: boolean;
	readonly opId: string;
	/** Hashes of a test lead's ids. Without a customer, no other row refuses erased ids (erased-ids.ts). */
	readonly testedHashes: string | undefined;
}

const insertLead = prepare(({ db, now }, { testedHashes, ...columns }: Placeholders<NewLead>) =>
	db
		.insert(affiliateLeadEvents)
		.values({
			...columns,
			...(testedHashes && { opId: unlessErased(columns.programId, testedHashes, columns.opId) }),
			customerId: customerIdOf(columns.programId, columns),
			createdAt: now,
		})
		.returning({ id: affiliateLeadEvents.id }),
);
