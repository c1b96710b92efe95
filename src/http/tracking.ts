import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type * as z from 'zod/mini';
import { clickCookies, cookieScopeOf } from '../domain/click-cookie.ts';
import { NO_COMMISSION } from '../domain/commission.ts';
import { toMajorUnits } from '../domain/money.ts';
import { Rejection } from '../domain/rejection.ts';
import { requireProgramByKey } from '../programs/program-key.ts';
import { noteRefusedSale } from '../tracking/note-refused-sale.ts';
import { recordClick } from '../tracking/record-click.ts';
import { recordLead } from '../tracking/record-lead.ts';
import { recordSale } from '../tracking/record-sale.ts';
import { recordTestRefund, recordTestSale, type TestReceipt } from '../tracking/record-test-events.ts';
import { type RefundReceipt, reverseSale } from '../tracking/reverse-sale.ts';
import type { SaleReceipt } from '../tracking/store-sale.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { answerPreflight, crossOrigin } from './cors.ts';
import { loggedAs } from './event-log.ts';
import { clientNetwork, requireWithinLimit } from './limits.ts';
import { requireLimitedKeyHash } from './program-bearer.ts';
import { readJson } from './read-body.ts';
import {
	asksForTestMode,
	ClickRequest,
	LeadRequest,
	parseTracking,
	RefundRequest,
	SaleRequest,
	TestSaleRequest,
} from './tracking-requests.ts';
import { countryOf, userAgentOf } from './visitor.ts';

/** Contract, 4.1 to 4.4. Mounted under /api/v1/track and, for earlier clients, under /api/tracking (contract, 4.8). */
export const tracking = new Hono<AppEnv>();

tracking.on('OPTIONS', ['/click', '/lead'], answerPreflight);

tracking.post('/click', loggedAs('click'), onFault('Click tracking failed'), crossOrigin, async (c) => {
	await requireWithinLimit(c.env.BROWSER_LIMIT, await clientNetwork(c));
	const body = parseTracking(ClickRequest, await readJson(c.req.raw));
	const origin = c.req.header('Origin');
	const cookieScope = body.cookie_domain === null ? undefined : cookieScopeOf(origin, body.cookie_domain);
	// No answer here depends on a cookie: all that this lets a listed page do is have its own cookie set.
	if (cookieScope) c.header('Access-Control-Allow-Credentials', 'true');
	const click = await recordClick(
		c.get('ctx'),
		{
			affiliateUrl: body.affiliate_url,
			isTest: body.additional_data,
			existingClickId: body.existing_click_id,
			cookieDomain: cookieScope?.domain,
			page: {
				pageUrl: body.page_url,
				pageTitle: body.page_title,
				referrerUrl: body.referrer_url,
				sessionId: body.session_id,
				userAgent: body.user_agent ?? userAgentOf(c),
				language: body.language,
				timezone: body.timezone,
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
});

tracking.post('/lead', loggedAs('lead'), onFault('Lead tracking failed'), crossOrigin, async (c) => {
	const isServer = c.req.header('Authorization') !== undefined;
	if (!isServer) await requireWithinLimit(c.env.BROWSER_LIMIT, await clientNetwork(c));
	const source = isServer
		? ({ mode: 'server', keyHash: await requireLimitedKeyHash(c) } as const)
		: ({ mode: 'browser', origin: c.req.header('Origin') } as const);
	const body = await readAs(c, isServer ? source.keyHash : undefined, (value) => parseTracking(LeadRequest, value));
	const isTest = body.additional_data;
	const { leadId, programId, attributed } = await recordLead(
		c.get('ctx'),
		{ clickId: body.click_id, customerKey: body.customer_key, email: body.email, isTest },
		source,
	);
	if (isTest) return c.json(testAnswer('Test lead recorded. No real state was changed.', { eventId: leadId, programId }));
	return c.json({ success: true, lead_id: leadId, attributed, message: attributed ? 'Lead recorded' : UNATTRIBUTED_LEAD });
});

tracking.post('/sale', loggedAs('sale'), onFault('Sale tracking failed'), async (c) => {
	const keyHash = await requireLimitedKeyHash(c);
	let sent: unknown;
	try {
		const body = await readAs(c, keyHash, (value) => {
			sent = value;
			return parseTracking(asksForTestMode(value) ? TestSaleRequest : SaleRequest, value);
		});
		return c.json(await trackSale(c, keyHash, body));
	} catch (error) {
		if (error instanceof Rejection && !asksForTestMode(sent)) {
			noteRefusedSale(c.get('ctx'), keyHash, transactionIdOf(sent), error);
		}
		throw error;
	}
});

tracking.post('/refund', loggedAs('refund'), onFault('Refund tracking failed'), async (c) => {
	const keyHash = await requireLimitedKeyHash(c);
	const body = await readAs(c, keyHash, (value) => parseTracking(RefundRequest, value));
	const refund = {
		transactionId: body.transaction_id,
		amountCents: body.refund_amount_cents,
		reason: body.refund_reason,
		refundId: body.refund_id,
	};
	if (body.additional_data) {
		const receipt = await recordTestRefund(c.get('ctx'), keyHash, refund);
		return c.json(testAnswer('Test refund recorded. No real state was changed.', receipt));
	}
	return c.json(refundAnswer(await reverseSale(c.get('ctx'), keyHash, refund)));
});

/** The `error` of a 500 on this route (contract, section 7). */
function onFault(message: string) {
	return createMiddleware<AppEnv>(async (c, next) => {
		c.set('faultMessage', message);
		await next();
	});
}

/** The body. A caller whose key is unknown is told so (401) before what is wrong with its body (400). */
async function readAs<Body>(c: AppContext, keyHash: string | undefined, parseBody: (value: unknown) => Body): Promise<Body> {
	try {
		return parseBody(await readJson(c.req.raw));
	} catch (error) {
		if (keyHash !== undefined) await requireProgramByKey(c.get('ctx'), keyHash);
		throw error;
	}
}

async function trackSale(c: AppContext, keyHash: string, body: z.output<ReturnType<typeof SaleRequest | typeof TestSaleRequest>>) {
	const details = {
		currency: body.currency,
		customerKey: body.customer_key,
		clickId: body.click_id,
		saleType: body.sale_type ?? 'payment',
		isRecurring: body.is_recurring ?? false,
		subscriptionId: body.subscription_id,
		subscriptionInterval: body.subscription_interval,
		productId: body.product_id,
		lineItems: body.line_items,
	} as const;
	const { transaction_id: transactionId, amount_cents: amountCents } = body;
	if (transactionId === undefined || amountCents === undefined || body.additional_data) {
		const receipt = await recordTestSale(c.get('ctx'), keyHash, { ...details, transactionId, amountCents });
		return testAnswer('Test sale recorded. No real state was changed.', receipt);
	}
	return saleAnswer(await recordSale(c.get('ctx'), keyHash, { ...details, transactionId, amountCents }));
}

const UNATTRIBUTED_LEAD = 'Lead recorded, unattributed: no valid click came with it';

/** For the note of a refusal: as it was sent, whatever it is. */
function transactionIdOf(sent: unknown): unknown {
	return typeof sent === 'object' && sent !== null && 'transaction_id' in sent ? sent.transaction_id : undefined;
}

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
	if (isOwed) return 'Refund recorded. The commission of this sale is still to be made; it will be made for what is left of the sale.';
	return 'Refund recorded. This sale has no commission to reverse.';
}

function testAnswer(message: string, receipt: TestReceipt) {
	return { success: true, message, ...testData(receipt) };
}

function testData({ eventId, programId }: TestReceipt) {
	return { data: { eventId, programId, test_mode: true } };
}
