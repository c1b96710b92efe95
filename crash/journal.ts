// What the clients sent and what they were told: the other side of the books.

/** An answer of the server, or none: the connection broke, and only the database knows what became of the request. */
export interface Answer {
	readonly status: number | 'unknown';
	readonly body: Record<string, unknown>;
}

interface Write {
	readonly path: string;
	readonly token: string | undefined;
	readonly request: object;
	readonly signingSecret?: string;
	/** In the order in which they came; several where the write was repeated, by intent or because nobody answered. */
	readonly answers: Answer[];
}

export interface LeadWrite extends Write {
	readonly kind: 'lead';
	readonly clickId: string;
	readonly partnerProgramId: number;
}

export interface SaleWrite extends Write {
	readonly kind: 'sale';
	readonly programId: number;
	readonly transactionId: string;
	readonly amountCents: number;
	readonly currency: string;
	/** The click that the buyer came by. */
	readonly clickId: string;
	readonly partnerProgramId: number;
}

export interface RefundWrite extends Write {
	readonly kind: 'refund';
	readonly transactionId: string;
	readonly refundId: string | null;
}

export interface PayoutWrite extends Write {
	readonly kind: 'payout';
	readonly programId: number;
}

export interface DecisionWrite extends Write {
	readonly kind: 'decision';
	readonly decision: 'approve' | 'reject';
	readonly commissionId: number;
}

/** An event of a payment processor. */
export interface WebhookWrite extends Write {
	readonly kind: 'webhook';
	readonly programId: number;
	readonly eventId: string;
}

/** A write that a client means once, however often it is sent. */
export type Intent = LeadWrite | SaleWrite | RefundWrite | PayoutWrite | DecisionWrite | WebhookWrite;
export type Kind = Intent['kind'];

export const KINDS = ['lead', 'sale', 'refund', 'payout', 'decision', 'webhook'] as const satisfies readonly Kind[];

/** A payment that only a processor's webhooks tell of. */
export interface Charge {
	readonly programId: number;
	readonly transactionId: string;
	readonly amountCents: number;
	/** With tax. */
	readonly chargedCents: number;
	readonly clickId: string;
	readonly partnerProgramId: number;
	/** What was refunded of it with its tax, by id; 0 where the refund failed. */
	readonly refunds: Map<string, number>;
}

export interface Journal {
	readonly intents: Intent[];
	readonly charges: Charge[];
	/** Clicks that were answered with an id. */
	readonly clicks: string[];
	/** Clicks that nobody answered: each may have been taken all the same. */
	unknownClicks: number;
}

/** Statuses that a client of this test may meet; any other is a fault of the service. */
const EXPECTED: Record<Kind, readonly number[]> = {
	lead: [200, 400],
	sale: [200, 409],
	refund: [200],
	payout: [201],
	decision: [200, 409],
	webhook: [200],
};

export function isExpected(kind: Kind, answer: Answer): boolean {
	return answer.status === 'unknown' || EXPECTED[kind].includes(answer.status);
}

/** Whether somebody has answered. */
export function isSettled(intent: Intent): boolean {
	return intent.answers.some((answer) => answer.status !== 'unknown');
}

export function wasUnknown(intent: Intent): boolean {
	return intent.answers.some((answer) => answer.status === 'unknown');
}

/** The answers that said that this very request wrote something. */
export function acknowledgements(intent: Intent): Answer[] {
	return intent.answers.filter(({ status, body }) => {
		if (intent.kind === 'refund') return status === 200 && body['status'] !== 'skipped';
		if (intent.kind === 'payout') return status === 201 && Array.isArray(body['data']) && body['data'].length > 0;
		return status === 200;
	});
}

/** Whether a repetition was told that the write had been recorded before. */
export function foundRecorded(intent: Intent): boolean {
	return intent.answers.some(({ status, body }) => {
		if (intent.kind === 'lead') return status === 400;
		if (intent.kind === 'sale') return status === 409;
		return intent.kind === 'refund' && status === 200 && body['status'] === 'skipped';
	});
}
