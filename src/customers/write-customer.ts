import { eq, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { type Placeholders, type Param, prepare } from '../db/prepare.ts';
import { affiliateClickEvents } from '../db/schema/clicks.ts';
import { customers } from '../db/schema/customers.ts';
import { unlessErased } from './erased-ids.ts';
import type { AttributedClick, CustomerStatus, Identity, KnownCustomer } from '../domain/attribution/attribution.ts';

/** What a lead or sale makes true of its customer; undefined leaves as it is. */
export interface CustomerFacts {
	readonly status: CustomerStatus;
	readonly signupDay: string | undefined;
	readonly purchaseDay: string | undefined;
	readonly emailHash: string | undefined;
	readonly email: string | undefined;
	/** Hashes of the ids that are new of it (erased-ids.ts). */
	readonly newIdHashes: string | undefined;
	/** Where only a page says that the new key is the customer's. */
	readonly keyFromPage?: true | undefined;
}

type KnownIdentity = Extract<Identity<KnownCustomer>, { kind: 'known' }>;
type NewIdentity = Extract<Identity<KnownCustomer>, { kind: 'new' }>;

export function insertCustomer(ctx: Context, programId: number, identity: NewIdentity, facts: CustomerFacts): Statement {
	return insert(ctx, { programId, customerKey: identity.customerKey ?? null, ...facts, ...attributionOf(identity.click) });
}

const insert = prepare((asking, given: Placeholders<{ programId: number; customerKey: string | null } & CustomerFacts & Attribution>) =>
	asking.db.insert(customers).values({
		...given,
		...columnsOf(given),
		...(given.newIdHashes && { revision: unlessErased(given.programId, given.newIdHashes, sql`0`) }),
		createdAt: asking.now,
	}),
);

/** Aborts its batch where the customer has changed since it was read (trigger on `revision`). */
export function updateCustomer(ctx: Context, { customer, newKey, newClick }: KnownIdentity, facts: CustomerFacts): Statement {
	return update(ctx, { id: customer.id, revision: customer.revision + 1, newKey, ...facts, ...attributionOf(newClick) });
}

type Changed = { id: number; revision: number; newKey: string | undefined } & CustomerFacts & Attribution;

const update = prepare(({ db }, { id, newKey, ...given }: Placeholders<Changed>) =>
	db
		.update(customers)
		.set({
			...given,
			...columnsOf(given),
			...(given.newIdHashes && { revision: unlessErased(sql`${customers.programId}`, given.newIdHashes, given.revision) }),
			customerKey: newKey,
			emailHash: given.emailHash && sql`coalesce(${customers.emailHash}, ${given.emailHash})`,
			// One that a backend told stays; one that a page told does not.
			email: given.email && sql`iif(${customers.emailHash} IS NULL, ${given.email}, coalesce(${customers.email}, ${given.email}))`,
		})
		.where(eq(customers.id, id)),
);

/** How the statements of a batch find a customer: by its id, else by the key or the click that the batch makes it with. */
export interface CustomerReference {
	/** Null: nobody. */
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

/** The condition on `customers` that finds it. */
export function isCustomer(programId: Param<number>, of: Placeholders<CustomerReference>): SQL {
	if (of.customerId) return sql`id = ${of.customerId}`;
	if (of.ofKey) return sql`program_id = ${programId} AND customer_key = ${of.ofKey}`;
	return sql`click_id = ${of.ofClickId} AND click_sequence = ${of.ofClickSequence}`;
}

/** The customer's id: as a subquery where the same batch makes it, so that it has none yet. */
export function customerIdOf(programId: Param<number>, of: Placeholders<CustomerReference>): SQL<number | null> {
	return of.customerId ?? sql`(SELECT id FROM customers WHERE ${isCustomer(programId, of)})`;
}

type Attribution = Partial<Pick<AttributedClick, 'partnerProgramId' | 'referralLinkId' | 'clickId' | 'clickedAt' | 'couponId'>> & {
	/** 0: the customer that the click stands for, of whom there is one. Undefined: a further one, in whatever order they come. */
	readonly clickSequence?: 0 | undefined;
};

function attributionOf(click: AttributedClick | undefined): Attribution {
	if (!click) return {};
	const { partnerProgramId, referralLinkId, clickId, clickedAt, couponId } = click;
	return { partnerProgramId, referralLinkId, clickId, clickedAt, couponId, clickSequence: click.customers === 0 ? 0 : undefined };
}

/** Where the click's row is not stored yet, whoever stores it tells its country and source (store-clicks.ts). */
function columnsOf(given: Placeholders<Attribution & Pick<CustomerFacts, 'signupDay' | 'purchaseDay'>>) {
	const days = { signupDate: given.signupDay, firstPurchaseDate: given.purchaseDay };
	if (!given.clickId) return days;
	const ofRow = sql`FROM ${affiliateClickEvents} WHERE ${affiliateClickEvents.clickId} = ${given.clickId}`;
	return {
		...days,
		clickSequence: given.clickSequence ?? sql`${nextSequence(given.clickId)}`,
		country: sql`(SELECT ${affiliateClickEvents.country} ${ofRow})`,
		source: sql`(SELECT ${affiliateClickEvents.source} ${ofRow})`,
	};
}

/** How many customers a click has brought: they are numbered without a gap, so that nobody has to count them. */
export function nextSequence(clickId: Param<string | null>): SQL<number> {
	return sql`(SELECT coalesce(max(${customers.clickSequence}) + 1, 0) FROM ${customers} WHERE ${customers.clickId} = ${clickId})`;
}
