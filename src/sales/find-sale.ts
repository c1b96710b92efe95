import { and, eq, isNull, min, ne, or, sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import type { Found } from '../db/client.ts';
import type { StatementContext, Param, Params } from '../db/prepare.ts';
import { commissionRules, commissionRuleVersions } from '../db/schema/commission-rules.ts';
import { coupons } from '../db/schema/coupons.ts';
import { commissions } from '../db/schema/money.ts';
import { partnerPrograms, referralLinks } from '../db/schema/partners.ts';
import { processorReferences } from '../db/schema/processor.ts';
import { programs } from '../db/schema/programs.ts';
import { customers } from '../db/schema/customers.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import { type NoCommissionReason, scopeOf } from '../domain/commissions/commission.ts';
import { Rejection } from '../domain/rejection.ts';
import type { Sale } from '../domain/commissions/sale.ts';
import type { KnownOfSale, SaleDecision } from '../domain/commissions/sale-decision.ts';
import { productsOf, type SellingRule } from '../domain/commissions/sale-lines.ts';
import { once } from '../once.ts';
import type { TrackedProgram } from '../programs/program-key.ts';
import {
	type ClickQuery,
	clickQuery,
	type ClaimedClickId,
	type FoundCustomer,
	linkIdOf,
	selectClick,
	selectCustomerByKey,
	selectCustomerOfClick,
} from '../customers/find-customer.ts';
import { sentCoupon, isInUse, selectCoupon } from './find-coupon.ts';
import { saleIdBy } from '../ledger/sale-id.ts';

export type FoundForSale = Found<ReturnType<typeof readsForSale>>;

/** The ids of a sale, each null if missing. */
export interface SaleQuery extends ClickQuery {
	readonly customerKey: string | null;
	/** Also null if there are several products. */
	readonly productId: string | null;
	/** JSON of all products. Undefined unless there are several. */
	readonly productIds: string | undefined;
	readonly subscriptionId: string | null;
	/** If undefined, no coupon is read. */
	readonly couponCode: string | undefined;
}

export function saleQuery(sale: Sale, claim: ClaimedClickId | undefined): SaleQuery {
	const { customerKey = null, subscriptionId = null, couponCode } = sale;
	const products = productsOf(sale);
	const [productId = null] = products;
	const named = products.length > 1 ? { productId: null, productIds: JSON.stringify(products) } : { productId, productIds: undefined };
	return { ...clickQuery(claim), ...named, customerKey, subscriptionId, couponCode };
}

/** Everything that decides about a sale, for one round trip. */
export function readsForSale(ctx: StatementContext, programId: Param<number>, query: Params<SaleQuery>) {
	return {
		byKey: selectCustomerByKey(ctx, programId, query.customerKey),
		click: selectClick(ctx, query),
		ofClick: selectCustomerOfClick(ctx, query.clickId),
		partners: selectPartners(ctx, programId, query),
		renewed: selectFirstSales(ctx, programId, query),
		subscription: selectSubscription(ctx, programId, query.subscriptionId),
		coupon: query.couponCode === undefined ? undefined : selectCoupon(ctx, programId, query.couponCode),
	};
}

/**
 * The sale that has used a transaction_id in any program (contract, section 8), as its own or as another id of its payment. The program's
 * own sale comes first, because only that one may have an id private to its program (decision 55).
 */
export function selectRecorded(ctx: StatementContext, programId: Param<number>, transactionId: Param<string>, isTest: boolean) {
	return ctx.db
		.select({
			opId: affiliateSaleEvents.opId,
			programId: affiliateSaleEvents.programId,
			saleId: affiliateSaleEvents.id,
			commissionId: commissions.id,
			reason: sql<NoCommissionReason | null>`${affiliateSaleEvents.noCommissionReason}`,
			/** Its commission failed and must still be created. */
			isOwed: sql`${affiliateSaleEvents.commissionState} = 'failed'`.mapWith(Boolean),
			amountCents: affiliateSaleEvents.amountCents,
			currency: affiliateSaleEvents.currency,
			chargedCents: affiliateSaleEvents.chargedCents,
			chargedCurrency: affiliateSaleEvents.chargedCurrency,
			hasCoupon: sql`${affiliateSaleEvents.couponId} IS NOT NULL`.mapWith(Boolean),
			/** Null if the sale has no customer or has lost it. */
			buyerId: customers.id,
			buyerKey: customers.customerKey,
			buyerClickId: customers.clickId,
		})
		.from(affiliateSaleEvents)
		.leftJoin(commissions, eq(commissions.saleId, affiliateSaleEvents.id))
		.leftJoin(customers, and(eq(customers.id, affiliateSaleEvents.customerId), isNull(customers.erasedAt)))
		.where(eq(affiliateSaleEvents.id, saleIdBy(transactionId, programId, isTest)));
}

export async function knownOfSale(
	ctx: Context,
	found: FoundForSale,
	{ hasCoupon, paidAt }: { readonly hasCoupon: boolean; readonly paidAt: number },
): Promise<KnownOfSale<FoundCustomer>> {
	const { byKey, click, ofClick, partners, renewed, subscription } = found;
	const coupon = hasCoupon ? await sentCoupon(ctx, found.coupon[0], paidAt) : undefined;
	return { byKey: byKey[0], click: click[0], ofClick: ofClick[0], partners, renewed, subscription: subscription[0], coupon };
}

export async function refusalOf(
	ctx: Context,
	program: TrackedProgram,
	decision: Exclude<SaleDecision<FoundCustomer>, { kind: 'sold' }>,
): Promise<Rejection> {
	if (decision.kind === 'refused') return new Rejection(decision.code);
	const isElsewhere = await isKnownElsewhere(ctx, program, decision.customerKey);
	return new Rejection(isElsewhere ? 'sale_customer_elsewhere' : 'sale_customer_not_found');
}

/** Whether another program of the same workspace has recorded the key (decision 7: nothing leaks between tenants). */
async function isKnownElsewhere(ctx: Context, program: TrackedProgram, customerKey: string): Promise<boolean> {
	const rows = await ctx.db
		.select({ id: customers.id })
		.from(programs)
		.innerJoin(customers, and(eq(customers.programId, programs.id), eq(customers.customerKey, customerKey)))
		.where(and(eq(programs.workspaceId, program.workspaceId), ne(programs.id, program.id)))
		.limit(1);
	return rows.length > 0;
}

/** The partner-programs that the ids may identify, with the current rules of each one's partner, group and product. */
function selectPartners(ctx: StatementContext, programId: Param<number>, query: Params<SaleQuery>) {
	const { customerKey, clickId, productId, productIds } = query;
	const isOfProduct =
		productIds === undefined
			? sql`${commissionRules.productId} = ${productId}`
			: sql`${commissionRules.productId} IN (SELECT value FROM json_each(${productIds}))`;
	const isOfNobody = and(isNull(commissionRules.partnerId), isNull(commissionRules.groupId));
	const isOfPartner = eq(commissionRules.partnerId, partnerPrograms.partnerId);
	const isOfGroup = and(isNull(commissionRules.partnerId), eq(commissionRules.groupId, partnerPrograms.groupId));
	const matching = ctx.db
		.select({
			rules: sql`json_group_array(json_object(
				'ruleVersionId', ${commissionRuleVersions.id}, 'partnerId', ${commissionRules.partnerId},
				'groupId', ${commissionRules.groupId}, 'productId', ${commissionRules.productId},
				'type', ${commissionRuleVersions.type}, 'basisPoints', ${commissionRuleVersions.basisPoints},
				'amountCents', ${commissionRuleVersions.amountCents}, 'currency', ${commissionRuleVersions.currency},
				'recurringMonths', ${commissionRuleVersions.recurringMonths}, 'holdDays', ${commissionRuleVersions.holdDays}))`,
		})
		.from(commissionRules)
		.innerJoin(
			commissionRuleVersions,
			and(eq(commissionRuleVersions.ruleId, commissionRules.id), eq(commissionRuleVersions.version, commissionRules.currentVersion)),
		)
		.where(
			// One condition per scope makes each one index lookup, however many rules there are.
			or(
				...[isOfNobody, isOfPartner, isOfGroup].flatMap((isOfScope) => [
					inForce(isOfScope, isNull(commissionRules.productId)),
					inForce(isOfScope, isOfProduct),
				]),
			),
		);
	const { couponCode } = query;
	const ofCoupon =
		couponCode === undefined ? sql`` : sql`, (SELECT ${coupons.partnerProgramId} FROM ${coupons} WHERE ${isInUse(programId, couponCode)})`;
	return ctx.db
		.select({
			partnerProgramId: partnerPrograms.id,
			status: partnerPrograms.status,
			rules: sql<string>`(${matching})`.mapWith(parseRules),
		})
		.from(partnerPrograms)
		.where(
			sql`${partnerPrograms.id} IN (
				(SELECT ${customers.partnerProgramId} FROM ${customers} WHERE ${customers.programId} = ${programId} AND ${customers.customerKey} = ${customerKey}),
				(SELECT ${customers.partnerProgramId} FROM ${customers} WHERE ${customers.clickId} = ${clickId} AND ${customers.clickSequence} = 0),
				(SELECT ${referralLinks.partnerProgramId} FROM ${referralLinks} WHERE ${referralLinks.id} = ${linkIdOf(query)})${ofCoupon})`,
		);
}

function inForce(isOfScope: SQL | undefined, isOfProduct: SQL): SQL | undefined {
	return and(eq(commissionRules.programId, partnerPrograms.programId), isOfScope, isOfProduct, isNull(commissionRules.archivedAt));
}

const Rules = once(() =>
	z.array(
		z.object({
			ruleVersionId: z.number(),
			partnerId: z.nullable(z.number()),
			groupId: z.nullable(z.number()),
			productId: z.nullable(z.string()),
			type: z.enum(['percent', 'flat']),
			basisPoints: z.nullable(z.number()),
			amountCents: z.nullable(z.number()),
			currency: z.nullable(z.string()),
			recurringMonths: z.nullable(z.number()),
			holdDays: z.number(),
		}),
	),
);

function parseRules(json: string): SellingRule[] {
	return Rules()
		.parse(JSON.parse(json))
		.map(({ partnerId, groupId, ...rule }) => ({
			...rule,
			scope: scopeOf(partnerId, groupId, rule.productId),
		}));
}

/** The day of a subscription's first sale inside the window, per customer. A later sale is a renewal (decision 8). */
function selectFirstSales(ctx: StatementContext, programId: Param<number>, { customerKey, clickId, subscriptionId }: Params<SaleQuery>) {
	const buyers = sql`
		SELECT ${customers.id} FROM ${customers} WHERE ${customers.programId} = ${programId} AND ${customers.customerKey} = ${customerKey}
		UNION ALL SELECT ${customers.id} FROM ${customers} WHERE ${customers.clickId} = ${clickId} AND ${customers.clickSequence} = 0`;
	return ctx.db
		.select({
			customerId: affiliateSaleEvents.customerId,
			firstDay: min(affiliateSaleEvents.saleDay).mapWith(String),
			byCoupon: sql`max(${affiliateSaleEvents.couponId} IS NOT NULL)`.mapWith(Boolean),
		})
		.from(affiliateSaleEvents)
		.where(isRenewable(programId, subscriptionId, buyers))
		.groupBy(affiliateSaleEvents.customerId);
}

function selectSubscription(ctx: StatementContext, programId: Param<number>, subscriptionId: Param<string | null>) {
	return ctx.db
		.select({
			beganAt: processorReferences.beganAt,
			trialBeganAt: processorReferences.trialBeganAt,
			/** Whether its metadata names its customer. */
			carriesKeys: sql`${processorReferences.customerKey} IS NOT NULL OR ${processorReferences.clickId} IS NOT NULL`.mapWith(Boolean),
		})
		.from(processorReferences)
		.where(
			sql`${processorReferences.programId} = ${programId} AND ${processorReferences.isTest} = 0 AND ${processorReferences.processorId} = ${subscriptionId}`,
		);
}

/** Whether later sales of the same subscription renew this sale. */
export function isRenewable(programId: Param<number>, subscriptionId: Param<string | null>, buyers: SQL): SQL {
	return sql`${affiliateSaleEvents.programId} = ${programId} AND ${affiliateSaleEvents.subscriptionId} = ${subscriptionId}
		AND ${affiliateSaleEvents.customerId} IN (${buyers}) AND ${affiliateSaleEvents.insideWindow} = 1 AND ${affiliateSaleEvents.isTest} = 0`;
}
