import { and, asc, eq, isNull } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { read } from '../db/client.ts';
import { partnerPrograms, referralLinks } from '../db/schema/partners.ts';
import { programs } from '../db/schema/programs.ts';
import { conflict, Rejection } from '../domain/rejection.ts';
import { programIdOfKey, selectProgramByKey } from '../programs/program-key.ts';
import { type ChainStep, judgeTestChain, type StepVerdict } from './judge-test-chain.ts';
import { recordClick } from '../clicks/record-click.ts';
import { recordLead } from '../leads/record-lead.ts';
import { recordTestRefund, recordTestSale } from './record-test-events.ts';

export type TestStep = 'click' | 'lead' | 'sale' | 'refund';

/** A refund needs a sale of its own. */
export const TEST_CHAINS = {
	chain: ['click', 'lead', 'sale', 'refund'],
	click: ['click'],
	lead: ['lead'],
	sale: ['sale'],
	refund: ['sale', 'refund'],
} as const satisfies Record<string, readonly TestStep[]>;

export type TestChain = keyof typeof TEST_CHAINS;

export type StepReport =
	| { readonly step: TestStep; readonly ok: true; readonly detail: StepDetail }
	/** The tracking route's error, or how to fix it. */
	| { readonly step: TestStep; readonly ok: false; readonly error: string };

export interface ChainReport {
	readonly steps: readonly StepReport[];
	/** Null if the program has no link. */
	readonly shortLink: string | null;
	readonly customerKey: string;
	/** Has no refunds. */
	readonly verdict: Readonly<Partial<Record<ChainStep, StepVerdict>>>;
}

export interface StepDetail {
	/** The flagged row. */
	readonly eventId: number;
	readonly clickId?: string;
	readonly customerKey?: string;
	readonly transactionId?: string;
}

interface TestRun {
	readonly keyHash: string;
	readonly programId: number;
	/** A link that accepts clicks. */
	readonly link: { readonly id: number; readonly shortLink: string; readonly domain: string | null } | undefined;
	readonly customerKey: string;
	readonly transactionId: string;
	/** The steps that have succeeded. */
	readonly done: Map<TestStep, StepDetail>;
}

const AMOUNT_CENTS = 1_000;

/**
 * Runs flagged events through the functions of real ones. A failed step stops only those that depend on it. Changes no real state
 * (contract, section 1; decision 12). Rejects with 401.
 */
export async function runTestChain(ctx: Context, keyHash: string, chain: TestChain): Promise<ChainReport> {
	const found = await read(ctx.db, { program: selectProgramByKey(ctx, keyHash), link: selectOpenLink(ctx, keyHash) });
	const [program] = found.program;
	if (!program) throw new Rejection('program_key_unknown');
	const mark = crypto.randomUUID();
	const run: TestRun = {
		keyHash,
		programId: program.id,
		link: found.link[0],
		customerKey: `test_customer_${mark}`,
		transactionId: `test_chain_${mark}`,
		done: new Map(),
	};
	const steps: StepReport[] = [];
	for (const step of TEST_CHAINS[chain]) steps.push(await report(ctx, run, step));
	const { link, customerKey } = run;
	return { steps, shortLink: link?.shortLink ?? null, customerKey, verdict: await judge(ctx, run, TEST_CHAINS[chain]) };
}

async function judge(ctx: Context, { programId, link, customerKey, done }: TestRun, taken: readonly TestStep[]) {
	const eventOf = (step: ChainStep) => done.get(step)?.eventId;
	const events = { click: eventOf('click'), lead: eventOf('lead'), sale: eventOf('sale') };
	const verdict = await judgeTestChain(ctx, { programId, linkId: link?.id, customerKey }, events);
	return Object.fromEntries(Object.entries(verdict).filter(([step]) => taken.some((name) => name === step)));
}

async function report(ctx: Context, run: TestRun, step: TestStep): Promise<StepReport> {
	try {
		const detail = await take(ctx, run, step);
		run.done.set(step, detail);
		return { step, ok: true, detail };
	} catch (error) {
		if (error instanceof Rejection) return { step, ok: false, error: error.message };
		ctx.log({ level: 'error', event: 'test_step_failed', programId: run.programId, step, ...describeFault(error) });
		return { step, ok: false, error: 'Internal error. See the logs of the Worker' };
	}
}

function take(ctx: Context, run: TestRun, step: TestStep): Promise<StepDetail> {
	switch (step) {
		case 'click':
			return takeClick(ctx, run);
		case 'lead':
			return takeLead(ctx, run);
		case 'sale':
			return takeSale(ctx, run);
		case 'refund':
			return takeRefund(ctx, run);
	}
}

async function takeClick(ctx: Context, { link, programId }: TestRun): Promise<StepDetail> {
	if (!link) {
		const message = `No active partner of the program has a link. Add a partner, who gets one immediately: POST /api/v1/programs/${programId}/partners`;
		throw conflict(message);
	}
	const page = {
		pageUrl: null,
		pageTitle: null,
		referrerUrl: null,
		sessionId: null,
		userAgent: null,
		language: null,
		timezone: null,
		country: null,
	};
	const affiliateUrl = `https://${link.domain ?? 'shop.example'}/?aff=${link.shortLink}`;
	const { clickId, test } = await recordClick(ctx, { affiliateUrl, isTest: true, existingClickId: undefined, page }, undefined);
	if (!test) throw new Error('The test click was not flagged');
	return { eventId: test.eventId, clickId };
}

async function takeLead(ctx: Context, { keyHash, customerKey, done }: TestRun): Promise<StepDetail> {
	const clickId = done.get('click')?.clickId;
	const { leadId } = await recordLead(ctx, { clickId, customerKey, email: undefined, isTest: true }, { mode: 'server', keyHash });
	return { eventId: leadId, customerKey, ...(clickId === undefined ? {} : { clickId }) };
}

async function takeSale(ctx: Context, { keyHash, customerKey, transactionId, done }: TestRun): Promise<StepDetail> {
	const { eventId } = await recordTestSale(ctx, keyHash, {
		transactionId,
		amountCents: AMOUNT_CENTS,
		currency: undefined,
		customerKey,
		clickId: done.get('click')?.clickId,
		saleType: 'payment',
		isRecurring: false,
		subscriptionId: undefined,
		subscriptionInterval: undefined,
		productId: undefined,
		lineItems: undefined,
	});
	return { eventId, transactionId };
}

async function takeRefund(ctx: Context, { keyHash, transactionId, done }: TestRun): Promise<StepDetail> {
	if (!done.has('sale')) throw conflict('There is no test sale to refund: see the step before');
	const refund = { transactionId, amountCents: undefined, reason: 'test-event', refundId: undefined };
	const { eventId } = await recordTestRefund(ctx, keyHash, refund);
	return { eventId, transactionId };
}

function selectOpenLink(ctx: Context, keyHash: string) {
	return ctx.db
		.select({ id: referralLinks.id, shortLink: referralLinks.shortLink, domain: programs.domain })
		.from(referralLinks)
		.innerJoin(partnerPrograms, and(eq(partnerPrograms.id, referralLinks.partnerProgramId), eq(partnerPrograms.status, 'active')))
		.innerJoin(programs, eq(programs.id, referralLinks.programId))
		.where(and(eq(referralLinks.programId, programIdOfKey(keyHash)), isNull(referralLinks.archivedAt)))
		.orderBy(asc(referralLinks.id))
		.limit(1);
}
