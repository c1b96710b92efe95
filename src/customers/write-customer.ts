import { eq, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { type Placeholders, type Param, prepare } from '../db/prepare.ts';
import { affiliateClickEvents } from '../db/schema/clicks.ts';
import { customers } from '../db/schema/customers.ts';
import { unlessErased } from './erased-ids.ts';
import type { AttributedClick, CustomerStatus, Identity, KnownCustomer } from '../domain/attribution/attribution.ts';

/** Undefined fields change nothing. */
export interface CustomerFacts {
	readonly status: CustomerStatus;
	readonly signupDay: string | undefined;
	readonly purchaseDay: string | undefined;
	readonly emailHash: string | undefined;
	readonly email: string | undefined;
	readonly newIdHashes: string | undefined;
	/** Only a page has claimed the new key. */
	readonly keyFromPage?: true | undefined;
}

type KnownIdentity = Extract<Identity<KnownCustomer>, { kind: 'known' }>;
type NewIdentity = Extract<Identity<KnownCustomer>, { kind: 'new' }>;

export function insertCustomer(ctx: Context, programId: number, identity: NewIdentity, facts: CustomerFacts): Statement {
	return insert(ctx, { programId, customerKey: identity.customerKey ?? null, ...facts, ...attributionOf(identity.click) });
}

const insert = prepare((ctx, params: Placeholders<{ programId: number; customerKey: string | null } & CustomerFacts & Attribution>) =>
	ctx.db.insert(customers).values({
		...params,
		...columnsOf(params),
		...(params.newIdHashes && { revision: unlessErased(params.programId, params.newIdHashes, sql`0`) }),
		createdAt: ctx.now,
	}),
);

/** Aborts its batch if the customer has changed since the read (a trigger on `revision`). */
export function updateCustomer(ctx: Context, { customer, newKey, newClick }: KnownIdentity, facts: CustomerFacts): Statement {
	return update(ctx, { id: customer.id, revision: customer.revision + 1, newKey, ...facts, ...attributionOf(newClick) });
}

type Changed = { id: number; revision: number; newKey: string | undefined } & CustomerFacts & Attribution;

const update = prepare(({ db }, { id, newKey, ...columns }: Placeholders<Changed>) =>
	db
		.update(customers)
		.set({
			...columns,
			...columnsOf(columns),
			...(columns.newIdHashes && { revision: unlessErased(sql`${customers.programId}`, columns.newIdHashes, columns.revision) }),
			customerKey: newKey,
			emailHash: columns.emailHash && sql`coalesce(${customers.emailHash}, ${columns.emailHash})`,
			// Keeps an address from a backend, but replaces one from a page.
			email: columns.email && sql`iif(${customers.emailHash} IS NULL, ${columns.email}, coalesce(${customers.email}, ${columns.email}))`,
		})
		.where(eq(customers.id, id)),
);

/** Finds a customer by id, or else by the key or click with which the batch creates it. */
export interface CustomerReference {
	/** Null if there is no customer. */
	readonly customerId?: number | null;
	readonly ofKey?: string;
	readonly ofClickId?: string;
	readonly ofClickSequence?: number;
}

export function customerReference(identity: Identity<KnownCustomer>): CustomerReference {
	if (identity.kind === 'known') return { customerId: identity.customer.id };
	const { customerKey, click } = identity;
	if (customerKey !== undefined) return { ofKey: customerKey };
	return click ? { ofClickId: click.clickId, ofClickSequence: click.customers } : { customerId: null };
}

export function isCustomer(programId: Param<number>, of: Placeholders<CustomerReference>): SQL {
	if (of.customerId) return sql`id = ${of.customerId}`;
	if (of.ofKey) return sql`program_id = ${programId} AND customer_key = ${of.ofKey}`;
	return sql`click_id = ${of.ofClickId} AND click_sequence = ${of.ofClickSequence}`;
}

/** A subquery if the same batch creates the customer. */
export function customerIdOf(programId: Param<number>, of: Placeholders<CustomerReference>): SQL<number | null> {
	return of.customerId ?? sql`(SELECT id FROM customers WHERE ${isCustomer(programId, of)})`;
}

type Attribution = Partial<Pick<AttributedClick, 'partnerProgramId' | 'referralLinkId' | 'clickId' | 'clickedAt' | 'couponId'>> & {
	/** 0 for the customer that represents the click; undefined for a further one. */
	readonly clickSequence?: 0 | undefined;
};

function attributionOf(click: AttributedClick | undefined): Attribution {
	if (!click) return {};
	const { partnerProgramId, referralLinkId, clickId, clickedAt, couponId } = click;
	return { partnerProgramId, referralLinkId, clickId, clickedAt, couponId, clickSequence: click.customers === 0 ? 0 : undefined };
}

/** If the click is not stored yet, store-clicks.ts adds its country, source and sub_id later. */
function columnsOf(params: Placeholders<Attribution & Pick<CustomerFacts, 'signupDay' | 'purchaseDay'>>) {
	const days = { signupDate: params.signupDay, firstPurchaseDate: params.purchaseDay };
	if (!params.clickId) return days;
	const ofRow = sql`FROM ${affiliateClickEvents} WHERE ${affiliateClickEvents.clickId} = ${params.clickId}`;
	return {
		...days,
		clickSequence: params.clickSequence ?? sql`${nextSequence(params.clickId)}`,
		country: sql`(SELECT ${affiliateClickEvents.country} ${ofRow})`,
		source: sql`(SELECT ${affiliateClickEvents.source} ${ofRow})`,
		subId: sql`(SELECT ${affiliateClickEvents.subId} ${ofRow})`,
	};
}

/** A click's customers have numbers without gaps, so no count is needed. */
export function nextSequence(clickId: Param<string | null>): SQL<number> {
	return sql`(SELECT coalesce(max(${customers.clickSequence}) + 1, 0) FROM ${customers} WHERE ${customers.clickId} = ${clickId})`;
}
