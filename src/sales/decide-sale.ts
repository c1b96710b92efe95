import type { Context } from '../context.ts';
import { type Identity, identify, standingOf } from '../domain/attribution.ts';
import { dayOf } from '../domain/calendar.ts';
import { earn, type Earning } from '../domain/commission.ts';
import { Rejection } from '../domain/rejection.ts';
import type { Sale } from '../domain/sale.ts';
import type { TrackedProgram } from '../programs/program-key.ts';
import { evidenceOf, type FoundCustomer } from '../customers/find-customer.ts';
import { type FoundForSale, isKnownElsewhere } from './find-sale.ts';

/** A sale whose customer and attribution are settled. */
export interface DecidedSale {
	readonly program: TrackedProgram;
	readonly identity: Identity<FoundCustomer>;
	readonly partnerProgramId: number;
	readonly currency: string;
	readonly saleDay: string;
	readonly insideWindow: boolean;
	/** No earlier sale of its subscription is known: of two that race only one may say so. */
	readonly startsSubscription: boolean;
	readonly earning: Earning;
}

/** What the attribution of a sale hangs on beside its ids. */
export interface SoldBy {
	readonly paidAt: number;
	/** Whether the payment itself has the keys of its subscription. */
	readonly carriesKeys: boolean;
}

/**
 * Whose sale it is and what it earns. The attribution window ends when it was paid at the latest; everything else counts from
 * the moment of recording (decision 25). Rejects as section 7 of the contract lists, and as unattributed what was paid for before
 * the click (decision 41): no partner brought it.
 */
export async function decideSale(
	ctx: Context,
	program: TrackedProgram,
	sale: Sale,
	found: FoundForSale,
	{ paidAt, carriesKeys }: SoldBy,
): Promise<DecidedSale> {
	const identity = await identifyBuyer(ctx, program, sale, found);
	const attribution = identity.kind === 'known' && identity.customer.partnerProgramId !== null ? identity.customer : clickOf(identity);
	if (!attribution || attribution.partnerProgramId === null || attribution.clickedAt === null) throw new Rejection('customer_unattributed');
	const { partnerProgramId, clickedAt } = attribution;
	const [subscription] = found.subscription;
	const trial = carriesKeys || subscription?.carriesKeys ? subscription?.trialBeganAt : undefined;
	const paid = { paidAt, subscribedAt: subscription?.beganAt ?? undefined, trialBeganAt: trial ?? undefined };
	const standing = standingOf(clickedAt, paid, program.cookieWindowDays);
	if (standing === 'paid_before_click' || standing === 'subscribed_before_click') throw new Rejection(standing);
	const partner = found.partners.find((candidate) => candidate.partnerProgramId === partnerProgramId);
	if (!partner || partner.status === 'ended') throw new Rejection('partner_program_gone');

	const saleDay = dayOf(ctx.now, program.timeZone);
	const insideWindow = standing === 'inside';
	const currency = sale.currency ?? program.currency;
	const renewal = identity.kind === 'known' ? found.renewed.find((first) => first.customerId === identity.customer.id) : undefined;
	const earning = earn(
		{
			amountCents: sale.amountCents,
			currency,
			soldAt: ctx.now,
			saleDay,
			insideWindow,
			renewalOfDay: renewal?.firstDay,
			isPartnerActive: partner.status === 'active',
		},
		partner.rules,
	);
	const startsSubscription = sale.subscriptionId !== undefined && renewal === undefined;
	return { program, identity, partnerProgramId, currency, saleDay, insideWindow, startsSubscription, earning };
}

/** The buyer, by known key first, else by click (decision 4). Rejects where neither leads to a customer of the program. */
async function identifyBuyer(ctx: Context, program: TrackedProgram, sale: Sale, found: FoundForSale): Promise<Identity<FoundCustomer>> {
	const [click] = found.click;
	const identity = identify(
		evidenceOf(program.id, { customerKey: sale.customerKey, byKey: found.byKey[0], click, ofClick: found.ofClick[0] }),
	);
	if (identity.kind === 'known' || identity.click) return identity;
	if (click?.programId === program.id) throw new Rejection('partner_program_gone');
	if (click || (await isKnownElsewhere(ctx, program, sale.customerKey))) throw new Rejection('sale_customer_elsewhere');
	throw new Rejection('sale_customer_not_found');
}

function clickOf(identity: Identity<FoundCustomer>) {
	return identity.kind === 'known' ? identity.newClick : identity.click;
}
