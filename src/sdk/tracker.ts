import {
	isClickAnswer,
	isEventPage,
	isLeadAnswer,
	isPerformance,
	isProgramStatus,
	isRefundAnswer,
	isSaleAnswer,
	type LeadAnswer,
	type RefundAnswer,
	type SaleAnswer,
	type TestAnswer,
} from './answers.ts';
import { unsent } from './errors.ts';
import type { Refusal } from './exchange.ts';
import { type CallOptions, checkedKey, checkedToken, transportOf, type TrackerOptions } from './options.ts';
import { eventQuery, performanceQuery } from './query.ts';
import type { ClickReceipt, LeadReceipt, RefundReceipt, SaleReceipt } from './receipts.ts';
import type { EventPage, Performance, ProgramStatus, TrackedEvent } from './reports.ts';
import type { Click, EventFilter, EventPageFilter, Lead, PerformanceQuery, Refund, Sale, TestSale } from './requests.ts';
import { type Answer, ask, type Call, type Transport, refusalError } from './service.ts';

const EVENTS_PER_PAGE = 200;

/** Senders can treat these errors as success (contract, section 7; decision 11b). */
const DUPLICATE = 'Duplicate transaction_id';
const OF_ANOTHER_PROGRAM = 'Another program has used this transaction_id';
const UNATTRIBUTED = 'partnerId required to create commission';
const KNOWN_CUSTOMER = 'Customer status cannot be updated to lead';

/**
 * Sends clicks, leads, sales and refunds to the service, and reads its reports. Calls reject only with a TrackerError. A call without a
 * clear response (5xx, 429, timeout, lost connection) is retried if that is safe, after a random wait that is never shorter than the
 * service requires.
 */
export class Tracker {
	readonly #transport: Transport;
	readonly #apiKey: string;
	readonly #sessionToken: string | undefined;

	/** Throws TypeError if an option is missing or invalid. */
	constructor(options: TrackerOptions = {}) {
		this.#transport = transportOf(options);
		this.#apiKey = checkedKey(options.apiKey);
		this.#sessionToken = options.sessionToken === undefined ? undefined : checkedToken('sessionToken', options.sessionToken);
	}

	/**
	 * Records a click, for shops without a script in their pages, and returns the id for the visitor's cookie. Retried without a clear
	 * response, because counting a visitor twice costs nothing, but losing a partner costs a commission.
	 */
	async click(click: Click, options: CallOptions = {}): Promise<ClickReceipt> {
		const call = this.#post('click', click, isClickAnswer, { ...options, isRepeatable: !isTest(click) });
		const answer = await ask(this.#transport, call);
		if (answer.outcome.kind === 'refused') throw refusalError(answer.outcome, call, answer);
		const { body } = answer.outcome;
		const { click_id, cookie_window_days, partner_code, data } = body;
		return { click_id, cookie_window_days, partner_code, retried: answer.retried, ...(data ? { data } : {}), ...warningsOf(body) };
	}

	/**
	 * Records a sign-up. Safe to send again: a customer who is already a lead or buyer stays one, and the receipt says `duplicate: true`.
	 */
	async lead(lead: Lead, options: CallOptions = {}): Promise<LeadReceipt> {
		const call = this.#post('lead', lead, isLeadAnswer, { ...options, isRepeatable: !isTest(lead) });
		const answer = await ask(this.#transport, call);
		const { outcome, retried } = answer;
		if (outcome.kind === 'accepted') return leadReceipt(outcome.body, retried);
		if (outcome.status === 400 && outcome.message.startsWith(KNOWN_CUSTOMER))
			return { recorded: true, duplicate: true, lead_id: null, attributed: null, message: outcome.message, retried };
		throw refusalError(outcome, call, answer);
	}

	/**
	 * Records a completed payment. Safe to send again, because a `transaction_id` is recorded only once: the receipt of a repeat says
	 * `duplicate: true`, and `differs` lists the fields that differ. If no partner brought the customer, it resolves with `recorded:
	 * false`. Other errors reject; `mayBeRecorded` then says whether the sale may have been recorded.
	 */
	async sale(sale: Sale | TestSale, options: CallOptions = {}): Promise<SaleReceipt> {
		const call = this.#post('sale', sale, isSaleAnswer, { ...options, isRepeatable: sale.transaction_id !== undefined });
		const answer = await ask(this.#transport, call);
		const { outcome, retried } = answer;
		if (outcome.kind === 'accepted') return saleReceipt(outcome.body, retried);
		const nothing = { sale_id: null, commission_id: null, message: outcome.detail ?? outcome.message, retried } as const;
		if (outcome.status === 409 && outcome.message.startsWith(DUPLICATE)) {
			if (outcome.detail?.startsWith(OF_ANOTHER_PROGRAM)) throw takenElsewhere(outcome, outcome.detail, call, answer);
			return { recorded: true, duplicate: true, differs: outcome.differs, ...nothing };
		}
		if (outcome.status === 400 && outcome.message === UNATTRIBUTED) return { recorded: false, duplicate: false, ...nothing };
		throw refusalError(outcome, call, answer);
	}

	/**
	 * Refunds a recorded sale in full or in part. Safe to send again: without a `refund_id` a sale is refunded only once, and each
	 * `refund_id` counts only once; a repeat returns `skipped`. Rejects with `not_found` if the program has no such sale.
	 */
	async refund(refund: Refund, options: CallOptions = {}): Promise<RefundReceipt> {
		const call = this.#post('refund', refund, isRefundAnswer, { ...options, isRepeatable: !isTest(refund) });
		const answer = await ask(this.#transport, call);
		if (answer.outcome.kind === 'refused') throw refusalError(answer.outcome, call, answer);
		return refundReceipt(answer.outcome.body, answer.retried);
	}

	/** All matching events, newest first. Reads pages as the loop needs them: `for await (const event of tracker.events())`. */
	async *events(filter: EventFilter = {}, options: CallOptions = {}): AsyncIterable<TrackedEvent> {
		let cursor: string | undefined;
		do {
			const page: EventPage = await this.eventsPage({ ...filter, limit: EVENTS_PER_PAGE, cursor }, options);
			yield* page.data;
			cursor = page.meta.next_cursor ?? undefined;
		} while (cursor !== undefined);
	}

	/** One page of events, newest first. Following `meta.next_cursor` neither repeats nor skips events, even if new ones arrive. */
	async eventsPage(filter: EventPageFilter = {}, options: CallOptions = {}): Promise<EventPage> {
		return this.#read(`/api/v1/cli/events${eventQuery(filter)}`, this.#apiKey, isEventPage, options);
	}

	/** The health of the integration, and what to do next. */
	async status(options: CallOptions = {}): Promise<ProgramStatus> {
		return this.#read('/api/v1/cli/status', this.#apiKey, isProgramStatus, options);
	}

	/**
	 * A program's performance, by day and in total. Needs the option `sessionToken` of an active member of the program's workspace (from
	 * POST /api/v1/auth/sign-in); the program key is not enough.
	 */
	async performance(programId: number, query: PerformanceQuery = {}, options: CallOptions = {}): Promise<Performance> {
		if (this.#sessionToken === undefined)
			throw unsent('authentication', 'performance needs the option sessionToken: the token of a signed-in member of the workspace');
		const path = `/api/tracking/performance/${encodeURIComponent(programId)}${performanceQuery(query)}`;
		return this.#read(path, this.#sessionToken, isPerformance, options);
	}

	#post<Body>(
		route: 'click' | 'lead' | 'sale' | 'refund',
		body: object,
		isBody: (answer: unknown) => answer is Body,
		{ isRepeatable, signal }: CallOptions & { readonly isRepeatable: boolean },
	): Call<Body> {
		return { method: 'POST', path: `/api/v1/track/${route}`, token: this.#apiKey, body, isBody, isRepeatable, signal };
	}

	async #read<Body>(path: string, token: string, isBody: (answer: unknown) => answer is Body, { signal }: CallOptions): Promise<Body> {
		const call = { method: 'GET', path, token, isBody, isRepeatable: true, signal } as const;
		const answer = await ask(this.#transport, call);
		if (answer.outcome.kind === 'refused') throw refusalError(answer.outcome, call, answer);
		return answer.outcome.body;
	}
}

/** Every test call writes another record, except a sale with an id, so test calls are not retried. */
function isTest(body: Click | Lead | Refund): boolean {
	return body.additional_data?.test_mode === true;
}

function leadReceipt(body: LeadAnswer | TestAnswer, retried: boolean): LeadReceipt {
	const receipt = { recorded: true, duplicate: false, message: body.message, retried, ...warningsOf(body) } as const;
	if (body.data) return { ...receipt, lead_id: null, attributed: null, data: body.data };
	return { ...receipt, lead_id: body.lead_id, attributed: body.attributed };
}

function saleReceipt(body: SaleAnswer | TestAnswer, retried: boolean): SaleReceipt {
	const receipt = { recorded: true, duplicate: false, message: body.message, retried, ...warningsOf(body) } as const;
	if (body.data) return { ...receipt, sale_id: null, commission_id: null, data: body.data };
	return { ...receipt, sale_id: body.sale_id, commission_id: body.commission_id };
}

function warningsOf({ warnings }: { readonly warnings?: unknown }): { warnings?: readonly string[] } {
	return Array.isArray(warnings) ? { warnings: warnings.filter((warning) => typeof warning === 'string') } : {};
}

function refundReceipt(body: RefundAnswer | TestAnswer, retried: boolean): RefundReceipt {
	return { ...refundOf(body, retried), ...warningsOf(body) };
}

function refundOf(body: RefundAnswer | TestAnswer, retried: boolean): RefundReceipt {
	if (body.data) return { status: 'test', message: body.message, data: body.data, retried };
	switch (body.status) {
		case 'reversed':
		case 'refunded':
			return { status: body.status, deductionAmount: body.deductionAmount, commission_id: body.commission_id, retried };
		case 'skipped':
			return { status: 'skipped', reason: body.reason, commission_id: body.commission_id, retried };
		case 'no_commission':
			return { status: 'no_commission', message: body.message, retried };
	}
}

/** The id belongs to another sale, so no attempt of this call was or will be recorded. */
function takenElsewhere(
	refusal: Refusal,
	message: string,
	call: Pick<Call<unknown>, 'method'>,
	{ attempts }: Pick<Answer<unknown>, 'attempts'>,
) {
	return refusalError({ ...refusal, message }, call, { attempts, retried: false });
}
