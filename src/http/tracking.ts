import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type * as z from 'zod/mini';
import { clickCookies, cookieScopeOf } from '../domain/attribution/click-cookie.ts';
import { NO_COMMISSION } from '../domain/commissions/commission.ts';
import { toMajorUnits } from '../domain/money.ts';
import { type RefusedCall, refusedCallOf } from '../domain/refusal.ts';
import { Rejection } from '../domain/rejection.ts';
import { noteRefusal } from '../programs/note-refusal.ts';
import { requireProgramByKey } from '../programs/program-key.ts';
import { recordClick } from '../clicks/record-click.ts';
import { recordLead } from '../leads/record-lead.ts';
import { recordSale } from '../sales/record-sale.ts';
import { recordTestRefund, recordTestSale, type TestReceipt } from '../test-mode/record-test-events.ts';
import { type RefundReceipt, reverseSale } from '../refunds/reverse-sale.ts';
import type { SaleReceipt } from '../sales/plan-sale.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { answerPreflight, crossOrigin } from './cors.ts';
import { loggedAs } from './event-log.ts';
import { warnOfMisspelt } from './field-warnings.ts';
import { clientNetwork, requireWithinLimit } from './limits.ts';
import { limitedKeyHash, requireKey } from './program-bearer.ts';
import {
	asksForTestMode,
	ClickRequest,
	LeadRequest,
	presentFields,
	RefundRequest,
	SaleRequest,
	TestSaleRequest,
} from './tracking-requests.ts';
import { body, readBody } from './validate.ts';
import { countryOf, userAgentOf } from './visitor.ts';

/** Sets the `error` of a 500 (contract, section 7). */
function onFault(message: string) {
	return createMiddleware<AppEnv>(async (c, next) => {
		c.set('faultMessage', message);
		await next();
	});
}

const limitBrowsers = createMiddleware<AppEnv>(async (c, next) => {
	await requireWithinLimit(c.env.BROWSER_LIMIT, await clientNetwork(c));
	await next();
});

/** A call without an Authorization header is a browser's. */
const limitKeysOrBrowsers = createMiddleware<AppEnv>(async (c, next) => {
	if (c.req.header('Authorization') === undefined) return limitBrowsers(c, next);
	c.set('keyHash', await limitedKeyHash(c));
	await next();
});

/** Records refused calls with a key for the program's log and status. The operation records those of pages. */
function noteRefusals(operation: RefusedCall['operation']) {
	return createMiddleware<AppEnv>(async (c, next) => {
		await next();
		const { ctx, keyHash } = c.var;
		if (!(c.error instanceof Rejection) || keyHash === undefined) return;
		const sent: unknown = await c.req.json().catch(() => undefined);
		if (!asksForTestMode(sent)) noteRefusal(ctx, { keyHash }, refusedCallOf(operation, 'backend', sent), c.error);
	});
}

/** Blank fields count as missing. */
function fields<Schema extends z.ZodMiniType>(schema: (sent: unknown) => Schema) {
	return body(schema, async (c) => presentFields(await readBody(c)), requireKnownKey);
}

/** The key is checked (401) before the body (400). */
async function requireKnownKey(c: AppContext): Promise<void> {
	const { ctx, keyHash } = c.var;
	if (keyHash !== undefined) await requireProgramByKey(ctx, keyHash);
}

/** Contract, 4.1 to 4.4. Mounted at /api/v1/track and, for earlier clients, at /api/tracking (contract, 4.8). */
export const tracking = new Hono<AppEnv>()
	.on('OPTIONS', ['/click', '/lead'], answerPreflight)
	.post(
		'/click',
		loggedAs('click'),
		onFault('Click tracking failed'),
		crossOrigin,
		limitBrowsers,
		warnOfMisspelt('click', ClickRequest),
		fields(ClickRequest),
		async (c) => {
			const sent = c.req.valid('json');
			const origin = c.req.header('Origin');
			const cookieScope = sent.cookie_domain === null ? undefined : cookieScopeOf(origin, sent.cookie_domain);
			// Only lets a listed page receive a cookie for its own domain. Responses do not depend on cookies.
			if (cookieScope) c.header('Access-Control-Allow-Credentials', 'true');
			const click = await recordClick(
				c.var.ctx,
				{
					affiliateUrl: sent.affiliate_url,
					isTest: sent.additional_data.isTest,
					existingClickId: sent.existing_click_id,
					cookieDomain: cookieScope?.domain,
					subId: sent.sub_id,
					page: {
						pageUrl: sent.page_url,
						pageTitle: sent.page_title,
						referrerUrl: sent.referrer_url,
						sessionId: sent.session_id,
						userAgent: sent.user_agent ?? userAgentOf(c),
						language: sent.language,
						timezone: sent.timezone,
						country: countryOf(c),
					},
				},
				origin,
			);
			const isCookieSet = cookieScope !== undefined && click.mayHaveCookie;
			for (const cookie of isCookieSet ? clickCookies(click, cookieScope) : []) c.header('Set-Cookie', cookie, { append: true });
			return c.json({
				success: true,
				click_id: click.clickId,
				partner_code: click.shortLink,
				cookie_window_days: click.cookieWindowDays,
				...(isCookieSet ? { cookie_set: true } : {}),
				...(click.test ? testData(click.test) : {}),
			});
		},
	)
	.post(
		'/lead',
		loggedAs('lead'),
		onFault('Lead tracking failed'),
		crossOrigin,
		limitKeysOrBrowsers,
		noteRefusals('lead'),
		warnOfMisspelt('lead', LeadRequest),
		fields(LeadRequest),
		async (c) => {
			const { ctx, keyHash } = c.var;
			const source =
				keyHash === undefined ? ({ mode: 'browser', origin: c.req.header('Origin') } as const) : ({ mode: 'server', keyHash } as const);
			const sent = c.req.valid('json');
			const { isTest } = sent.additional_data;
			const lead = { clickId: sent.click_id, customerKey: sent.customer_key, email: sent.email, isTest };
			const { leadId, programId, attributed } = await recordLead(ctx, lead, source);
			if (isTest) return c.json(testAnswer('Test lead recorded. No real state was changed.', { eventId: leadId, programId }));
			return c.json({ success: true, lead_id: leadId, attributed, message: attributed ? 'Lead recorded' : UNATTRIBUTED_LEAD });
		},
	)
	.post(
		'/sale',
		loggedAs('sale'),
		onFault('Sale tracking failed'),
		requireKey,
		noteRefusals('sale'),
		warnOfMisspelt('sale', SaleRequest),
		fields((sent) => (asksForTestMode(sent) ? TestSaleRequest() : SaleRequest())),
		async (c) => c.json(await trackSale(c, c.var.keyHash, c.req.valid('json'))),
	)
	.post(
		'/refund',
		loggedAs('refund'),
		onFault('Refund tracking failed'),
		requireKey,
		noteRefusals('refund'),
		warnOfMisspelt('refund', RefundRequest),
		fields(RefundRequest),
		async (c) => {
			const { ctx, keyHash } = c.var;
			const sent = c.req.valid('json');
			const refund = {
				transactionId: sent.transaction_id,
				amountCents: sent.refund_amount_cents,
				reason: sent.refund_reason,
				refundId: sent.refund_id,
			};
			if (sent.additional_data.isTest) {
				const receipt = await recordTestRefund(ctx, keyHash, refund);
				return c.json(testAnswer('Test refund recorded. No real state was changed.', receipt));
			}
			return c.json(refundAnswer(await reverseSale(ctx, keyHash, refund)));
		},
	);

async function trackSale(c: AppContext, keyHash: string, sent: z.output<ReturnType<typeof SaleRequest | typeof TestSaleRequest>>) {
	const details = {
		currency: sent.currency,
		customerKey: sent.customer_key,
		clickId: sent.click_id,
		saleType: sent.sale_type ?? 'payment',
		isRecurring: sent.is_recurring ?? false,
		subscriptionId: sent.subscription_id,
		subscriptionInterval: sent.subscription_interval,
		productId: sent.product_id,
		lineItems: sent.line_items,
		couponCode: sent.coupon_code,
	} as const;
	const { transaction_id: transactionId, amount_cents: amountCents } = sent;
	if (transactionId === undefined || amountCents === undefined || sent.additional_data.isTest) {
		const receipt = await recordTestSale(c.get('ctx'), keyHash, { ...details, transactionId, amountCents });
		return testAnswer('Test sale recorded. No real state was changed.', receipt);
	}
	return saleAnswer(await recordSale(c.get('ctx'), keyHash, { ...details, transactionId, amountCents }));
}

const UNATTRIBUTED_LEAD = 'Lead recorded, unattributed: no valid click came with it';

export function saleAnswer(receipt: SaleReceipt) {
	const message = receipt.reason
		? `Sale recorded. No commission was created: ${NO_COMMISSION[receipt.reason]}.`
		: 'Sale recorded and commission created.';
	return { success: true, sale_id: receipt.saleId, commission_id: receipt.commissionId, message };
}

export function refundAnswer(receipt: RefundReceipt) {
	switch (receipt.outcome) {
		case 'reversed':
		case 'refunded':
			return {
				success: true,
				status: receipt.outcome,
				deductionAmount: toMajorUnits(receipt.deductionCents, receipt.currency),
				commission_id: receipt.commissionId,
			};
		case 'skipped':
			return { success: true, status: 'skipped', reason: receipt.reason, commission_id: receipt.commissionId };
		case 'no_commission':
			return { success: true, status: 'no_commission', message: noCommissionMessage(receipt) };
	}
}

function noCommissionMessage({ isOwed, isRecorded }: Extract<RefundReceipt, { outcome: 'no_commission' }>): string {
	if (!isRecorded) return 'The refund of this sale was already recorded; it has no commission to reverse.';
	if (isOwed)
		return 'Refund recorded. The commission of this sale has not been created yet; it will be created for what is left of the sale.';
	return 'Refund recorded. This sale has no commission to reverse.';
}

function testAnswer(message: string, receipt: TestReceipt) {
	return { success: true, message, ...testData(receipt) };
}

function testData({ eventId, programId }: TestReceipt) {
	return { data: { eventId, programId, test_mode: true } };
}
