import type {
	ClickReceipt,
	EffectiveRefund,
	RecordedLead,
	RecordedSale,
	RefundWithoutCommission,
	SkippedRefund,
	TestRefund,
} from './receipts.ts';
import type { EventPage, Performance, ProgramStatus } from './reports.ts';

// Each successful body is recognised by the fields that the SDK uses, so that a proxy's 200 does not pass for a recorded sale.

export type TestAnswer = Pick<TestRefund, 'message' | 'data' | 'warnings'>;

export type ClickAnswer = Omit<ClickReceipt, 'retried'>;

export type LeadAnswer = Omit<RecordedLead, 'recorded' | 'duplicate' | 'retried'>;

export type SaleAnswer = Omit<RecordedSale, 'recorded' | 'duplicate' | 'retried'>;

export type RefundAnswer = (
	| Omit<EffectiveRefund, 'retried'>
	| Omit<SkippedRefund, 'retried'>
	| Omit<RefundWithoutCommission, 'retried'>
) & { readonly data?: undefined };

/** The 409 for a sale has a `message`, and `differs` if its facts differ. */
export interface ErrorAnswer {
	readonly error: string;
	readonly message?: unknown;
	readonly differs?: unknown;
}

export function isClickAnswer(body: unknown): body is ClickAnswer {
	if (!isSuccess(body) || typeof body['click_id'] !== 'string') return false;
	return typeof body['cookie_window_days'] === 'number' && typeof body['partner_code'] === 'string';
}

export function isLeadAnswer(body: unknown): body is LeadAnswer | TestAnswer {
	if (isTestAnswer(body)) return true;
	if (!isSuccess(body) || typeof body['lead_id'] !== 'number' || typeof body['message'] !== 'string') return false;
	return typeof body['attributed'] === 'boolean';
}

export function isSaleAnswer(body: unknown): body is SaleAnswer | TestAnswer {
	if (isTestAnswer(body)) return true;
	if (!isSuccess(body) || typeof body['sale_id'] !== 'number' || typeof body['message'] !== 'string') return false;
	return body['commission_id'] === null || typeof body['commission_id'] === 'number';
}

export function isRefundAnswer(body: unknown): body is RefundAnswer | TestAnswer {
	if (isTestAnswer(body)) return true;
	if (!isSuccess(body)) return false;
	switch (body['status']) {
		case 'reversed':
		case 'refunded':
			return typeof body['deductionAmount'] === 'number' && typeof body['commission_id'] === 'number';
		case 'skipped':
			return typeof body['reason'] === 'string' && typeof body['commission_id'] === 'number';
		case 'no_commission':
			return typeof body['message'] === 'string';
		default:
			return false;
	}
}

export function isEventPage(body: unknown): body is EventPage {
	if (!isSuccess(body) || !Array.isArray(body['data'])) return false;
	const meta = body['meta'];
	return isRecord(meta) && (meta['next_cursor'] === null || typeof meta['next_cursor'] === 'string');
}

export function isProgramStatus(body: unknown): body is ProgramStatus {
	return isSuccess(body) && typeof body['program_id'] === 'number' && Array.isArray(body['checks']);
}

export function isPerformance(body: unknown): body is Performance {
	return isRecord(body) && Array.isArray(body['data']) && isRecord(body['metrics']) && isRecord(body['meta']);
}

export function isErrorAnswer(body: unknown): body is ErrorAnswer {
	return isRecord(body) && typeof body['error'] === 'string';
}

function isTestAnswer(body: unknown): body is TestAnswer {
	return isSuccess(body) && isRecord(body['data']) && body['data']['test_mode'] === true && typeof body['message'] === 'string';
}

function isSuccess(body: unknown): body is Record<string, unknown> {
	return isRecord(body) && body['success'] === true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
