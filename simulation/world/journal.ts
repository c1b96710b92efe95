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

// Requests and their answers: the client's view, which the invariants compare with the rows.

/** A report or a breakdown: the query and the answer. */
export interface Seen {
	asked: { program: Program; by: By | undefined; period: Period };
	receipt: {
		/** By name (oracle-of-reports.ts), in major units. */
		readonly figures: ReportedFigures;
		/** The breakdown's values, in row order. */
		readonly values: readonly string[];
	};
}

/** A partner's query for their own data, and the lines of the answer. */
export interface Shown {
	asked: { membership: Membership; userId: number; what: 'balances' | 'commissions' | 'payouts' | 'performance'; period: Period };
	receipt: readonly string[];
}

/** Each kind of request. */
export interface Verbs {
	click: { asked: { report: ClickReport }; receipt: ClickReceipt };
	lead: { asked: { program: Program; lead: LeadReport; isServer: boolean }; receipt: LeadReceipt };
	sale: { asked: { program: Program; sale: Sale }; receipt: SaleReceipt };
	testSale: { asked: { program: Program; sale: TestSale }; receipt: TestReceipt };
	refund: { asked: { program: Program; refund: Refund }; receipt: RefundReceipt };
	testRefund: { asked: { program: Program; refund: Refund }; receipt: TestReceipt };
	payment: {
		asked: { program: Program; sale: Sale; paymentIds: readonly string[]; paidAt: number; isTest: boolean; opId: string };
		receipt: PaymentReceipt;
	};
	reversal: {
		asked: { program: Program; paymentIds: readonly string[]; fact: ReversalFact; isTest: boolean; opId: string };
		receipt: ReversalReceipt | undefined;
	};
	link: { asked: { program: Program; paymentIds: readonly string[]; isTest: boolean }; receipt: number | undefined };
	/** A processor's event, or a forged one. */
	webhook: { asked: { program: Program; eventId: string; type: string; isForged: boolean }; receipt: void };
	reopen: { asked: { program: Program; id: number }; receipt: unknown };
	payout: { asked: { program: Program; payout: PayoutRequest }; receipt: readonly Payout[] };
	run: { asked: { program: Program; due: DueRequest }; receipt: Run };
	sent: { asked: { program: Program; ids: readonly number[] }; receipt: readonly Payout[] };
	failed: { asked: { program: Program; ids: readonly [number] }; receipt: readonly Payout[] };
	report: Seen;
	/** The sums of the commissions of a program or of one partner, a line each. */
	summary: { asked: { program: Program; partnerId: number | undefined }; receipt: readonly string[] };
	keepSums: { asked: { programId: number; partnerProgramId: number }; receipt: void };
	fillSums: { asked: object; receipt: number };
	invite: { asked: { program: Program; partnerId: number }; receipt: InvitedPartner };
	accept: { asked: { partnerId: number; userId: number }; receipt: Joined };
	portal: Shown;
	standings: { asked: { program: Program }; receipt: Page<Partner> };
	erase: { asked: { program: Program; person: PersonQuery }; receipt: ErasureReceipt };
	approve: { asked: { program: Program; ids: readonly number[] }; receipt: unknown };
	reject: { asked: { program: Program; ids: readonly number[] }; receipt: unknown };
	rule: { asked: { program: Program; change: string }; receipt: unknown };
	partner: { asked: { program: Program; partnerId: number; change: string }; receipt: unknown };
	join: { asked: { program: Program; email: string }; receipt: unknown };
	apply: { asked: { program: Program; email: string; words: string }; receipt: void };
	takeIn: { asked: { program: Program; ids: readonly number[] }; receipt: unknown };
	decline: { asked: { program: Program; ids: readonly number[] }; receipt: unknown };
	erasePartner: { asked: { program: Program; partnerId: number }; receipt: unknown };
	settings: { asked: { program: Program; change: ProgramChange }; receipt: unknown };
	replay: { asked: { deadLetterId: number }; receipt: unknown };
	deliver: { asked: { queue: string; messages: number }; receipt: void };
	tick: { asked: object; receipt: void };
	verify: { asked: object; receipt: number };
}

export type Answer<Receipt> =
	| { readonly state: 'answered'; readonly receipt: Receipt }
	| { readonly state: 'rejected'; readonly rejection: Rejection }
	| { readonly state: 'faulted'; readonly error: unknown }
	/** No answer ever arrives. */
	| { readonly state: 'crashed' };

export interface Request<Kind extends keyof Verbs = keyof Verbs> extends Caller, Traces {
	readonly kind: Kind;
	readonly asked: Verbs[Kind]['asked'];
	readonly now: number;
	readonly step: number;
	answer: Answer<Verbs[Kind]['receipt']> | undefined;
	/** Whether its log names an injected fault, because the final error may not. */
	hasReportedFault: boolean;
	/** All rows at the first and at the last read of a report or a partner's query. */
	sawFirst: Rows | undefined;
	saw: Rows | undefined;
}

export class Journal {
	readonly requests: Request[] = [];

	/** The payment whose event recorded a sale. */
	paymentOf(opId: string): Request<'payment'> | undefined {
		return this.of('payment').find(({ asked }) => asked.opId === opId);
	}

	of<Kind extends keyof Verbs>(kind: Kind): Request<Kind>[] {
		return this.requests.filter((request): request is Request<Kind> => request.kind === kind);
	}

	/** The answered requests of a kind. */
	answered<Kind extends keyof Verbs>(kind: Kind): { request: Request<Kind>; receipt: Verbs[Kind]['receipt'] }[] {
		return this.of(kind).flatMap((request) => (request.answer?.state === 'answered' ? [{ request, receipt: request.answer.receipt }] : []));
	}
}
