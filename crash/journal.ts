// What the clients sent and received, to compare with the database.

/** `unknown` if the connection broke. In that case only the database shows whether the request succeeded. */
export interface Answer {
	readonly status: number | 'unknown';
	readonly body: Record<string, unknown>;
}

interface Write {
	readonly path: string;
	readonly token: string | undefined;
	readonly request: object;
	readonly signingSecret?: string;
	/** In order of arrival. Several if the write was repeated. */
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
	/** The id of the buyer's click. */
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

/** A write that must take effect once, no matter how often it is sent. */
export type Intent = LeadWrite | SaleWrite | RefundWrite | PayoutWrite | DecisionWrite | WebhookWrite;
export type Kind = Intent['kind'];

export const KINDS = ['lead', 'sale', 'refund', 'payout', 'decision', 'webhook'] as const satisfies readonly Kind[];

/** A payment that is reported only by a processor's webhooks. */
export interface Charge {
	readonly programId: number;
	readonly transactionId: string;
	readonly amountCents: number;
	/** Including tax. */
	readonly chargedCents: number;
	readonly clickId: string;
	readonly partnerProgramId: number;
	/** In cents including tax, by refund id; 0 if the refund failed. */
	readonly refunds: Map<string, number>;
}

export interface Journal {
	readonly intents: Intent[];
	readonly charges: Charge[];
	/** Clicks whose response contained an id. */
	readonly clicks: string[];
	/** Clicks without a response. They may have been recorded. */
	unknownClicks: number;
}

/** The status codes that a client may receive. Any other is a bug in the service. */
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

/** Whether the server has responded. */
export function isSettled(intent: Intent): boolean {
	return intent.answers.some((answer) => answer.status !== 'unknown');
}

export function wasUnknown(intent: Intent): boolean {
	return intent.answers.some((answer) => answer.status === 'unknown');
}

/** The responses confirming that this request wrote something. */
export function acknowledgements(intent: Intent): Answer[] {
	return intent.answers.filter(({ status, body }) => {
		if (intent.kind === 'refund') return status === 200 && body['status'] !== 'skipped';
		if (intent.kind === 'payout') return status === 201 && Array.isArray(body['data']) && body['data'].length > 0;
		return status === 200;
	});
}

/** Whether the response to a repeated write says that it is already recorded. */
export function foundRecorded(intent: Intent): boolean {
	return intent.answers.some(({ status, body }) => {
		if (intent.kind === 'lead') return status === 400;
		if (intent.kind === 'sale') return status === 409;
		return intent.kind === 'refund' && status === 200 && body['status'] === 'skipped';
	});
}
