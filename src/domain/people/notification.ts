import { moneyText } from '../money.ts';
import { countText, utcText } from '../time-text.ts';

/**
 * Partners receive these, with exceptions: owners and admins get `manual_review` (contract, section 3, side effects 2 and 3),
 * `application_received`, `webhook_disabled`, `processor_silent` and `reversal_refused`; owners get `payout_file_made`.
 */
export type NotificationKind =
	| 'commission_created'
	| 'commission_reversed'
	| 'commission_reinstated'
	| 'commission_rejected'
	| 'payout_made'
	| 'payout_sent'
	| 'payout_failed'
	| 'payout_details_changed'
	| 'payout_file_made'
	| 'application_received'
	| 'webhook_disabled'
	| 'postback_disabled'
	| 'membership_suspended'
	| 'membership_resumed'
	| 'membership_ended'
	| 'manual_review'
	| 'processor_silent'
	| 'reversal_refused';

/** Changed payout details may be a theft, so no thief may switch off that email. */
export type MailedKind = Exclude<NotificationKind, 'payout_details_changed'>;

/** Amounts are minor units of `currency`. */
export interface NotificationDetail {
	readonly commission_id?: number | undefined;
	readonly payout_id?: number | null | undefined;
	readonly application_id?: number | undefined;
	readonly webhook_id?: number | undefined;
	readonly payouts?: number | undefined;
	readonly commissions?: number | undefined;
	readonly amount_cents?: number | undefined;
	readonly deduction_cents?: number | undefined;
	/** The part of a reinstatement that was not credited. */
	readonly withheld_cents?: number | undefined;
	readonly recovered_cents?: number | undefined;
	readonly surplus_cents?: number | undefined;
	readonly currency: string;
	/** For a webhook or postback, why it is disabled. */
	readonly status?: string | undefined;
	readonly reason?: string | null | undefined;
	/** The reference of a payout, or the processor's id of an event. */
	readonly reference?: string | null | undefined;
	/** A processor's public name; `since`: when it fell silent, in ms. */
	readonly processor?: string | undefined;
	readonly sale_id?: number | undefined;
	readonly since?: number | undefined;
}

export function messageOf(kind: NotificationKind, detail: NotificationDetail, programName: string): string {
	const { commission_id: commissionId, currency } = detail;
	const amount = moneyText(detail.amount_cents ?? 0, currency);
	const deduction = moneyText(detail.deduction_cents ?? 0, currency);
	const because = detail.reason ? ` Reason: ${detail.reason}` : '';
	switch (kind) {
		case 'commission_created':
			return `You earned ${amount} in ${programName}.${detail.status === 'pending' ? ' It is on hold for now.' : ''}`;
		case 'commission_reversed':
			return detail.status === 'reversed'
				? `Your commission #${commissionId} in ${programName} was reversed because its sale was refunded: ${deduction} was deducted.${because}`
				: `Your commission #${commissionId} in ${programName} was reduced by ${deduction} because its sale was partly refunded.${because}`;
		case 'commission_reinstated':
			return `Your commission #${commissionId} in ${programName} was reinstated by ${deduction}.${withheldText(detail)}${because}`;
		case 'commission_rejected':
			if (detail.commissions !== undefined)
				return `${detail.commissions} of your commissions in ${programName}, ${amount} in all, were rejected.`;
			return `Your commission #${commissionId} of ${amount} in ${programName} was rejected.${because}`;
		case 'payout_made':
			return payoutText(detail, amount, programName);
		case 'payout_sent':
			return `Your payout #${detail.payout_id} of ${amount} for ${programName} was sent${detail.reference ? ` (reference ${detail.reference})` : ''}.`;
		case 'payout_failed':
			return `Your payout #${detail.payout_id} of ${amount} for ${programName} failed. The amount is back in your balance and will be in your next payout.${because}`;
		case 'payout_details_changed':
			return `Your payout details for ${programName} were changed. If it was not you, change your password and contact them at once.`;
		case 'payout_file_made':
			return `Someone downloaded a file with the payout details of partners of ${programName}: ${countText(detail.payouts ?? 0, 'payout')} in ${currency}. The audit log shows who. If you did not expect this, change your passwords.`;
		case 'application_received':
			return `Someone applied to become a partner of ${programName}.`;
		case 'webhook_disabled':
			return detail.status === 'gone'
				? `A webhook of ${programName} was disabled because its receiver answered 410 Gone.`
				: `A webhook of ${programName} was disabled because it failed for too long. It receives nothing until you enable it.`;
		case 'postback_disabled':
			return detail.status === 'gone'
				? `Your postback for ${programName} was disabled because your system answered 410 Gone. Enable it again when your system is back.`
				: `Your postback for ${programName} was disabled because it failed for too long. Enable it again when your system is back.`;
		case 'membership_suspended':
			return `Your membership in ${programName} is suspended. For now, your links record no clicks and sales earn nothing.${because}`;
		case 'membership_resumed':
			return `Your membership in ${programName} is active again. Your links record clicks, and sales earn commissions.${because}`;
		case 'membership_ended':
			return `Your membership in ${programName} has ended. You keep what you earned.${because}`;
		case 'manual_review':
			return `Please review commission #${commissionId} in ${programName}: its sale was refunded after the commission was paid out. ${deduction} was deducted from the partner's balance, which may now be negative.${because}`;
		case 'processor_silent':
			return detail.status === 'over'
				? `${programName} receives events from ${detail.processor} again, or ${detail.processor} is no longer connected.`
				: `${programName} has received no event from ${detail.processor} since ${utcText(detail.since ?? 0)}, which is much longer than usual. Check at ${detail.processor} that the webhook is active and its deliveries succeed.`;
		case 'reversal_refused':
			return `A refund or dispute of sale #${detail.sale_id} in ${programName}, reported by ${detail.processor}, was not applied.${detail.reason ? ` ${detail.reason}.` : ''} The commission does not change until a corrected event arrives or you report the refund yourself. See event ${detail.reference} under Settings > Payments.`;
	}
}

function withheldText({ withheld_cents: withheld = 0, currency }: NotificationDetail): string {
	if (withheld === 0) return '';
	return ` Of that, ${moneyText(withheld, currency)} was withheld because your balance could not cover an earlier refund.`;
}

function payoutText(
	{ recovered_cents: recovered = 0, surplus_cents: surplus = 0, ...detail }: NotificationDetail,
	amount: string,
	programName: string,
) {
	const kept = `${moneyText(recovered, detail.currency)} was deducted for an earlier debt.`;
	if (recovered > 0 && detail.amount_cents === 0) return `Nothing was paid out for ${programName}: ${kept}`;
	const back = `${moneyText(surplus, detail.currency)} of it was credited back because a refund or payout failed or a dispute was won.`;
	const parts = [
		`A payout of ${amount} was made for ${programName}.`,
		recovered > 0 ? kept : undefined,
		surplus > 0 ? back : undefined,
		(detail.amount_cents ?? 0) > 0 ? 'You get another notification when it is sent.' : undefined,
	];
	return parts.filter((part) => part !== undefined).join(' ');
}
