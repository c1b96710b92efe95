import { expect, test } from 'vitest';
import type { IntegrationCheck } from '../../../src/domain/monitoring/integration-check.ts';
import { gatesOf } from '../../../src/domain/monitoring/readiness.ts';

/** The action repeats the name. */
function checks(...missing: readonly string[]): IntegrationCheck[] {
	const names = [
		'partner_link',
		'commission_rule',
		'allowed_origins',
		'origins_accepted',
		'click_received',
		'sale_received',
		'cron_running',
	];
	const stripe = [
		'stripe_reversals_linked',
		'stripe_connected',
		'stripe_events_received',
		'stripe_signatures_match',
		'stripe_events_selected',
		'stripe_events_applied',
		'paddle_events_applied',
		'sales_reported_once',
	];
	return [...names, ...stripe].map((name) => ({ name, ok: !missing.includes(name), nextAction: missing.includes(name) ? name : null }));
}

test.each([
	[[], {}],
	[['partner_link'], { profile: 'partner_link' }],
	[['commission_rule'], { economics: 'commission_rule' }],
	[['allowed_origins', 'click_received'], { tracking: 'allowed_origins' }],
	[['click_received'], { tracking: 'click_received' }],
	[['sale_received', 'cron_running'], { live: 'sale_received' }],
	[['cron_running'], { live: 'cron_running' }],
	[['stripe_events_received', 'stripe_events_applied'], { payout: 'stripe_events_received' }],
	[['stripe_events_applied'], { payout: 'stripe_events_applied' }],
	[['paddle_events_applied'], { payout: 'paddle_events_applied' }],
	[['stripe_events_selected'], { payout: 'stripe_events_selected' }],
	[['stripe_reversals_linked'], { payout: 'stripe_reversals_linked' }],
	[['sales_reported_once'], { payout: 'sales_reported_once' }],
	[['partner_link', 'click_received', 'sale_received'], { profile: 'partner_link', tracking: 'click_received', live: 'sale_received' }],
	[['stripe_events_received', 'stripe_signatures_match'], { payout: 'stripe_events_received' }],
	// Optional.
	[['stripe_connected'], {}],
	// Anyone can send forged events, so they do not count against a processor whose own events arrive.
	[['stripe_signatures_match'], {}],
	[['allowed_origins'], {}],
	[['origins_accepted'], {}],
	[['origins_accepted', 'click_received'], { tracking: 'origins_accepted' }],
])('without %j', (missing, actions) => {
	const gates = gatesOf(checks(...missing));
	expect(gates.map(({ gate }) => gate)).toEqual(['profile', 'economics', 'payout', 'tracking', 'live']);
	expect(Object.fromEntries(gates.filter(({ isPassed }) => !isPassed).map(({ gate, nextAction }) => [gate, nextAction]))).toEqual(actions);
	expect(gates.every(({ isPassed, nextAction }) => isPassed === (nextAction === null))).toBe(true);
});

test('a check that no gate names belongs to the last one', () => {
	const gates = gatesOf([...checks(), { name: 'something_new', ok: false, nextAction: 'Do it' }]);
	expect(gates.at(-1)).toEqual({ gate: 'live', isPassed: false, nextAction: 'Do it' });
});
