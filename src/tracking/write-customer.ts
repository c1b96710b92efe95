import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { affiliateClickEvents, customers } from '../db/schema/tracking.ts';
import type { AttributedClick, CustomerStatus, Identity } from '../domain/attribution.ts';
import type { FoundCustomer } from './find-customer.ts';

/** What a lead or sale makes true of its customer; undefined leaves as it is. */
export interface CustomerFacts {
	readonly status: CustomerStatus;
	readonly signupDay: string | undefined;
	readonly purchaseDay: string | undefined;
	readonly emailHash: string | undefined;
	readonly email: string | undefined;
}

type KnownIdentity = Extract<Identity<FoundCustomer>, { kind: 'known' }>;
type NewIdentity = Extract<Identity<FoundCustomer>, { kind: 'new' }>;

export function insertCustomer(ctx: Context, programId: number, identity: NewIdentity, facts: CustomerFacts): Statement {
	return ctx.db.insert(customers).values({
		programId,
		customerKey: identity.customerKey ?? null,
		status: facts.status,
		signupDate: facts.signupDay ?? null,
		firstPurchaseDate: facts.purchaseDay ?? null,
		...(identity.click ? attribution(identity.click) : {}),
		emailHash: facts.emailHash ?? null,
		email: facts.email ?? null,
		createdAt: ctx.now,
	});
}

/** Aborts its batch where the customer has changed since it was read (trigger on `revision`). */
export function updateCustomer(ctx: Context, { customer, newKey, newClick }: KnownIdentity, facts: CustomerFacts): Statement {
	return ctx.db
		.update(customers)
		.set({
			revision: customer.revision + 1,
			status: facts.status,
			...(newKey === undefined ? {} : { customerKey: newKey }),
			...(newClick ? attribution(newClick) : {}),
			...(facts.signupDay === undefined ? {} : { signupDate: facts.signupDay }),
			...(facts.purchaseDay === undefined ? {} : { firstPurchaseDate: facts.purchaseDay }),
			...(facts.emailHash === undefined ? {} : { emailHash: sql`coalesce(${customers.emailHash}, ${facts.emailHash})` }),
			...(facts.email === undefined ? {} : { email: sql`coalesce(${customers.email}, ${facts.email})` }),
		})
		.where(eq(customers.id, customer.id));
}

/** The customer's id as a subquery: one that the same batch makes has none yet. */
export function customerIdOf(programId: number, identity: Identity<FoundCustomer>): SQL<number> {
	if (identity.kind === 'known') return sql`${identity.customer.id}`;
	const isIt =
		identity.customerKey === undefined
			? and(eq(customers.clickId, identity.click?.clickId ?? ''), eq(customers.clickSequence, identity.click?.customers ?? 0))
			: and(eq(customers.programId, programId), eq(customers.customerKey, identity.customerKey));
	return sql`(SELECT ${customers.id} FROM ${customers} WHERE ${isIt})`;
}

/** Where the click's row is not stored yet, whoever stores it tells its country and source (store-clicks.ts). */
function attribution(click: AttributedClick) {
	const ofRow = sql`FROM ${affiliateClickEvents} WHERE ${affiliateClickEvents.clickId} = ${click.clickId}`;
	return {
		partnerProgramId: click.partnerProgramId,
		referralLinkId: click.referralLinkId,
		clickId: click.clickId,
		clickedAt: click.clickedAt,
		clickSequence: click.customers,
		country: sql`(SELECT ${affiliateClickEvents.country} ${ofRow})`,
		source: sql`(SELECT ${affiliateClickEvents.source} ${ofRow})`,
	};
}
