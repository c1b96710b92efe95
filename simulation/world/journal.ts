import type { ReversalFact } from '../../src/domain/processors/processor-event.ts';
import type { Refund, Sale } from '../../src/domain/commissions/sale.ts';
import type { Rejection } from '../../src/domain/rejection.ts';
import type { Page } from '../../src/domain/page.ts';
import type { ProgramChange } from '../../src/programs/update-program.ts';
import type { Partner } from '../../src/partners/partner.ts';
import type { Joined } from '../../src/accounts/accept-invitation.ts';
import type { InvitedPartner } from '../../src/partners/invite-partner.ts';
import type { Payout } from '../../src/payouts/payout.ts';
import type { PayoutRequest } from '../../src/payouts/pay-commissions.ts';
import type { DueRequest } from '../../src/payouts/start-pay-run.ts';
import type { Run } from '../../src/runs/run.ts';
import type { LeadReport } from '../../src/leads/find-lead.ts';
import type { LeadReceipt } from '../../src/leads/record-lead.ts';
import type { ClickReceipt, ClickReport } from '../../src/clicks/record-click.ts';
import type { RetirementLimits } from '../../src/clicks/retire-clicks.ts';
import type { PaymentReceipt, ReversalReceipt } from '../../testing/service/payments.ts';
import type { ErasureReceipt } from '../../src/privacy/erase-customer.ts';
import type { PersonQuery } from '../../src/privacy/person.ts';
import type { SaleReceipt } from '../../src/sales/plan-sale.ts';
import type { TestReceipt, TestSale } from '../../src/test-mode/record-test-events.ts';
import type { RefundReceipt } from '../../src/refunds/reverse-sale.ts';
import type { By, Period, ReportedFigures } from './oracle-of-reports.ts';
import type { Traces } from './platform.ts';
import type { Rows } from './rows.ts';
import type { Caller } from './schedule.ts';
import type { Membership, Program } from './world.ts';

// Requests and their responses, which the invariants compare with the rows.

export interface Seen {
	params: { program: Program; by: By | undefined; period: Period };
	receipt: {
		/** See oracle-of-reports.ts; in major units. */
		readonly figures: ReportedFigures;
		/** The breakdown's values, in row order. */
		readonly values: readonly string[];
	};
}

export interface Shown {
	params: { membership: Membership; userId: number; what: 'balances' | 'commissions' | 'payouts' | 'performance'; period: Period };
	receipt: readonly string[];
}

export interface Verbs {
	click: { params: { report: ClickReport }; receipt: ClickReceipt };
	lead: { params: { program: Program; lead: LeadReport; isServer: boolean }; receipt: LeadReceipt };
	sale: { params: { program: Program; sale: Sale }; receipt: SaleReceipt };
	testSale: { params: { program: Program; sale: TestSale }; receipt: TestReceipt };
	refund: { params: { program: Program; refund: Refund }; receipt: RefundReceipt };
	testRefund: { params: { program: Program; refund: Refund }; receipt: TestReceipt };
	payment: {
		params: { program: Program; sale: Sale; paymentIds: readonly string[]; paidAt: number; isTest: boolean; opId: string };
		receipt: PaymentReceipt;
	};
	reversal: {
		params: { program: Program; paymentIds: readonly string[]; fact: ReversalFact; isTest: boolean; opId: string };
		receipt: ReversalReceipt | undefined;
	};
	link: { params: { program: Program; paymentIds: readonly string[]; isTest: boolean }; receipt: number | undefined };
	/** A processor's event, or a forged one. */
	webhook: { params: { program: Program; eventId: string; type: string; isForged: boolean }; receipt: void };
	reopen: { params: { program: Program; id: number }; receipt: unknown };
	payout: { params: { program: Program; payout: PayoutRequest }; receipt: readonly Payout[] };
	run: { params: { program: Program; due: DueRequest }; receipt: Run };
	sent: { params: { program: Program; ids: readonly number[] }; receipt: readonly Payout[] };
	failed: { params: { program: Program; ids: readonly [number] }; receipt: readonly Payout[] };
	report: Seen;
	/** One line per sum, for a program or a single partner. */
	summary: { params: { program: Program; partnerId: number | undefined }; receipt: readonly string[] };
	keepSums: { params: { programId: number; partnerProgramId: number }; receipt: void };
	fillSums: { params: object; receipt: number };
	invite: { params: { program: Program; partnerId: number }; receipt: InvitedPartner };
	accept: { params: { partnerId: number; userId: number }; receipt: Joined };
	portal: Shown;
	balances: { params: { program: Program }; receipt: Page<Partner> };
	erase: { params: { program: Program; person: PersonQuery }; receipt: ErasureReceipt };
	approve: { params: { program: Program; ids: readonly number[] }; receipt: unknown };
	reject: { params: { program: Program; ids: readonly number[] }; receipt: unknown };
	rule: { params: { program: Program; change: string }; receipt: unknown };
	partner: { params: { program: Program; partnerId: number; change: string }; receipt: unknown };
	join: { params: { program: Program; email: string }; receipt: unknown };
	apply: { params: { program: Program; email: string; words: string }; receipt: void };
	takeIn: { params: { program: Program; ids: readonly number[] }; receipt: unknown };
	decline: { params: { program: Program; ids: readonly number[] }; receipt: unknown };
	erasePartner: { params: { program: Program; partnerId: number }; receipt: unknown };
	settings: { params: { program: Program; change: ProgramChange }; receipt: unknown };
	/** Null keeps clicks for ever. */
	retention: { params: { program: Program; days: number | null }; receipt: unknown };
	retire: { params: { limits: RetirementLimits }; receipt: number };
	replay: { params: { deadLetterId: number }; receipt: unknown };
	deliver: { params: { queue: string; messages: number }; receipt: void };
	tick: { params: object; receipt: void };
	verify: { params: object; receipt: number };
}

export type Answer<Receipt> =
	| { readonly state: 'answered'; readonly receipt: Receipt }
	| { readonly state: 'rejected'; readonly rejection: Rejection }
	| { readonly state: 'faulted'; readonly error: unknown }
	/** A response never arrives. */
	| { readonly state: 'crashed' };

export interface Request<Kind extends keyof Verbs = keyof Verbs> extends Caller, Traces {
	readonly kind: Kind;
	readonly params: Verbs[Kind]['params'];
	readonly now: number;
	readonly step: number;
	answer: Answer<Verbs[Kind]['receipt']> | undefined;
	/** Set from the log, because the final error may not mention an injected fault. */
	hasReportedFault: boolean;
	/** All rows at the first and the last read. */
	sawFirst: Rows | undefined;
	saw: Rows | undefined;
}

export class Journal {
	readonly requests: Request[] = [];

	paymentOf(opId: string): Request<'payment'> | undefined {
		return this.of('payment').find(({ params }) => params.opId === opId);
	}

	of<Kind extends keyof Verbs>(kind: Kind): Request<Kind>[] {
		return this.requests.filter((request): request is Request<Kind> => request.kind === kind);
	}

	answered<Kind extends keyof Verbs>(kind: Kind): { request: Request<Kind>; receipt: Verbs[Kind]['receipt'] }[] {
		return this.of(kind).flatMap((request) => (request.answer?.state === 'answered' ? [{ request, receipt: request.answer.receipt }] : []));
	}
}
