import { chargeObject, chargeWithRefunds, invoicePaymentObject, paymentIntentObject } from './charge.ts';
import { type CreditNoteData, creditNoteObject } from './credit-note.ts';
import { invoiceObject } from './invoice.ts';
import { type DisputeData, disputeObject, type DisputeStatus, type RefundData, refundObject, type RefundState } from './reversal.ts';
import { DAY, type PaymentData } from './story-data.ts';
import type { CreditNote, CreditNoteOptions, Dispute, Payment, Refund } from './story-types.ts';
import { eventOf, type Setting, stripeId, type StripeEvent } from './wire.ts';

/** Events before and after those of a payment. */
export interface Around {
	before(): StripeEvent[];
	after(): StripeEvent[];
}

/** A payment with its events in an API version. */
export function paymentOf(payment: PaymentData, setting: Setting, around: Around): Payment {
	const { charge } = payment;
	const paidAt = charge.createdAt + 1;
	const invoice = () => {
		if (!payment.invoice) throw new Error('This payment has no invoice');
		return invoiceObject(setting, payment.invoice);
	};
	const made: Payment = {
		ids: { paymentIntent: charge.paymentIntent, charge: charge.id, invoice: payment.invoice?.id },
		transactionId: payment.invoice?.subscription == null ? charge.paymentIntent : payment.invoice.id,
		paidAt: paidAt * 1000,
		paymentIntentSucceeded: () => eventOf(setting, 'payment_intent.succeeded', paidAt, paymentIntentObject(setting, charge)),
		chargeSucceeded: () => eventOf(setting, 'charge.succeeded', paidAt, chargeObject(setting, charge, [])),
		invoicePaid: () => eventOf(setting, 'invoice.paid', paidAt + 1, invoice()),
		invoicePaymentSucceeded: () => eventOf(setting, 'invoice.payment_succeeded', paidAt + 1, invoice()),
		invoicePaymentPaid: () =>
			eventOf(setting, 'invoice_payment.paid', paidAt + 1, invoicePaymentObject(setting, payment.invoicePayment, invoice().id, charge)),
		events: () => eventsOf(payment, made, setting, around),
		refund: (amount, reason) => refundOf(payment, addRefund(payment, amount, reason), setting),
		get refunds() {
			return payment.refunds.map((refund) => refundOf(payment, refund, setting));
		},
		creditNote: (gives) => creditNoteOf(addCreditNote(payment, gives), setting),
		get creditNotes() {
			return payment.creditNotes.map((note) => creditNoteOf(note, setting));
		},
		dispute: (amount) => disputeOf(addDispute(payment, amount), setting),
		get disputes() {
			return payment.disputes.map((dispute) => disputeOf(dispute, setting));
		},
	};
	return made;
}

function eventsOf(payment: PaymentData, made: Payment, setting: Setting, around: Around): StripeEvent[] {
	const isCharged = payment.charge.amount > 0;
	return [
		...(isCharged ? [made.chargeSucceeded(), made.paymentIntentSucceeded()] : []),
		...around.before(),
		...(payment.invoice ? [made.invoicePaid(), made.invoicePaymentSucceeded()] : []),
		...(payment.invoice && isCharged && setting.shape === 'new' ? [made.invoicePaymentPaid()] : []),
		...around.after(),
	];
}

function addRefund({ charge, refunds }: PaymentData, amount: number | undefined, reason: RefundData['reason'] = null): RefundData {
	const left = charge.amount - refunds.reduce((sum, refund) => sum + refund.amount, 0);
	const refund = {
		id: stripeId('re'),
		charge: charge.id,
		paymentIntent: charge.paymentIntent,
		amount: amount ?? left,
		reason,
		createdAt: charge.createdAt + (refunds.length + 1) * DAY,
	};
	refunds.push(refund);
	return refund;
}

function refundOf(payment: PaymentData, refund: RefundData, setting: Setting): Refund {
	const object = (status: RefundState['status']) => refundObject(setting, refund, { status });
	const later = refund.createdAt + 5 * DAY;
	const soFar = payment.refunds.slice(0, payment.refunds.indexOf(refund) + 1);
	const before = soFar.slice(0, -1).reduce((sum, earlier) => sum + earlier.amount, 0);
	const refunded = (charge: object) => eventOf(setting, 'charge.refunded', refund.createdAt + 1, charge, { amount_refunded: before });
	return {
		id: refund.id,
		created: (status = 'succeeded') => eventOf(setting, 'refund.created', refund.createdAt, object(status)),
		updated: (status) => eventOf(setting, 'refund.updated', later, object(status), { status: 'pending' }),
		chargeRefundUpdated: (status) => eventOf(setting, 'charge.refund.updated', later, object(status), { status: 'pending' }),
		failed: () => eventOf(setting, 'refund.failed', later, object('failed')),
		chargeRefunded: () => refunded(chargeObject(setting, payment.charge, soFar)),
		chargeRefundedWithList: () => refunded(chargeWithRefunds(setting, payment.charge, soFar)),
	};
}

function addCreditNote({ invoice, charge, creditNotes }: PaymentData, gives: CreditNoteOptions): CreditNoteData {
	if (!invoice) throw new Error('This payment has no invoice');
	const { toBalance = 0, outOfBand = 0, refund } = gives;
	const note = { id: stripeId('cn'), invoice: invoice.id, toBalance, outOfBand, refund, createdAt: charge.createdAt + DAY };
	creditNotes.push(note);
	return note;
}

function creditNoteOf(note: CreditNoteData, setting: Setting): CreditNote {
	const event = (type: 'created' | 'updated' | 'voided') => {
		const isVoid = type === 'voided';
		return eventOf(setting, `credit_note.${type}`, note.createdAt + (isVoid ? 61 : 1), creditNoteObject(setting, note, isVoid));
	};
	return { id: note.id, created: () => event('created'), updated: () => event('updated'), voided: () => event('voided') };
}

function addDispute({ charge, disputes }: PaymentData, amount: number = charge.amount): DisputeData {
	const dispute = {
		id: stripeId('du'),
		charge: charge.id,
		paymentIntent: charge.paymentIntent,
		amount,
		reason: 'fraudulent',
		createdAt: charge.createdAt + (disputes.length + 10) * DAY,
	};
	disputes.push(dispute);
	return dispute;
}

function disputeOf(dispute: DisputeData, setting: Setting): Dispute {
	const out = [-dispute.amount];
	const back = [-dispute.amount, dispute.amount];
	const open = 'needs_response';
	const closedAt = dispute.createdAt + 60 * DAY;
	const object = (status: DisputeStatus, movements: number[]) => disputeObject(setting, dispute, status, movements);
	return {
		id: dispute.id,
		created: (status = open) => eventOf(setting, 'charge.dispute.created', dispute.createdAt, object(status, [])),
		updated: (status) => eventOf(setting, 'charge.dispute.updated', dispute.createdAt + DAY, object(status, out), { status: open }),
		fundsWithdrawn: (status = open) => eventOf(setting, 'charge.dispute.funds_withdrawn', dispute.createdAt + 1, object(status, out)),
		closed: (status) =>
			eventOf(setting, 'charge.dispute.closed', closedAt, object(status, status === 'won' ? back : out), { status: 'under_review' }),
		fundsReinstated: (status = 'won') => eventOf(setting, 'charge.dispute.funds_reinstated', closedAt + 1, object(status, back)),
		lostAfterAll: () => eventOf(setting, 'charge.dispute.closed', closedAt + DAY, object('lost', out), { status: 'won' }),
	};
}
