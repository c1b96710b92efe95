import type { GuideName } from '../docs/guides.ts';

/** What the commands of a guide must have answered, where it shows no answer, or speaks of a figure in one. */
export const SIGNS: Readonly<Partial<Record<GuideName, readonly string[]>>> = {
	'quick-start': ['"transaction_id":"quick-order-1"', '"recent_events":{', '"name":"My shop"', '"api_token":"prg_', '"short_link":"quinn"'],
	browser: ['"https://*.shop.example"', '&tracker_click_id=cust_'],
	'server-only': ['"sale_id":'],
	stripe: ['"webhook_url":', 'https://checkout.stripe.com/', '"state":"applied"'],
	paddle: ['"webhook_url":', 'https://shop.example/pay', '"state":"applied"'],
	'custom-webhook': ['{"received":true}', '"processor":"custom"'],
	'test-mode': ['"steps":[', '"is_test":true'],
	refunds: [
		'"status":"refunded","deductionAmount":6.6',
		'"status":"refunded","deductionAmount":5',
		'"status":"reversed","deductionAmount":10',
	],
	coupons: ['"code":"SPRING20"', '"sale_id":', '"coupon_wins":true', '"verdict":"attributed"'],
	payouts: [
		'"recurring_months":12',
		'"status":"approved"',
		'"status":"pending"',
		'"commission_ids":[',
		'payout_id,',
		'"balances":{',
		'"status":"reversed","deductionAmount":19.8',
		'"amount_cents":2020',
	],
	partners: [
		'"partner_account":{',
		'"balances":{',
		'"amount_cents":1980',
		'commission_id,',
		'was reduced by 6.60 USD because its sale was partly refunded. Reason: One of three came broken',
		'"deducted_cents":660,"remaining_cents":1320',
		'"status":"suspended"',
	],
	people: ['"role":"member"', '"is_current":true', '"action":"password_reset.issue"', '"action":"password.reset"', 'member.change,'],
	security: ['"api_token":"prg_', '"server_leads_only":true'],
};
