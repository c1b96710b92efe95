import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { OwnPartner } from '../accounts/own-partner.ts';
import { type Context, describeFault } from '../context.ts';
import { payoutDetails } from '../db/schema/payout-details.ts';
import { PAYOUT_METHODS, type PayoutDetails } from '../domain/payouts/payout-details.ts';
import { notFound } from '../domain/rejection.ts';

export interface MaskedDetails {
	readonly method: PayoutDetails['method'];
	readonly summary: string;
	readonly changedAt: number;
}

const text = z.nullable(z.string());
const Sealed = z.object({
	method: z.enum(PAYOUT_METHODS),
	email: text,
	holder: text,
	receiverType: z.nullable(z.enum(['person', 'business'])),
	currency: text,
	iban: text,
	bic: text,
	country: text,
	accountNumber: text,
	routingCode: text,
});

export function sealDetails({ secrets }: Context, partnerId: number, details: PayoutDetails): Promise<string> {
	return secrets.seal(JSON.stringify(details), boundTo(partnerId));
}

/** Logs and returns undefined if no secret can decrypt them: a secret was removed too early, or they belong to another partner. */
export async function openDetails({ secrets, log }: Context, partnerId: number, sealed: string): Promise<PayoutDetails | undefined> {
	try {
		return Sealed.parse(JSON.parse(await secrets.open(sealed, boundTo(partnerId))));
	} catch (error) {
		log({ level: 'error', event: 'payout_details_unreadable', partnerId, ...describeFault(error) });
		return undefined;
	}
}

function boundTo(partnerId: number): string {
	return `payout details of partner ${partnerId}`;
}

export function selectMasked(ctx: Context, partnerId: number) {
	return ctx.db
		.select({ method: payoutDetails.method, summary: payoutDetails.summary, changedAt: payoutDetails.changedAt })
		.from(payoutDetails)
		.where(eq(payoutDetails.partnerId, partnerId));
}

/** Masked, so that a stolen session does not reveal the account number. Rejects with 404. */
export async function requireOwnDetails(ctx: Context, partner: OwnPartner): Promise<MaskedDetails> {
	const [details] = await selectMasked(ctx, partner.id);
	if (!details) throw notFound('Payout details');
	return details;
}
