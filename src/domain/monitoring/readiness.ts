import type { IntegrationCheck } from './integration-check.ts';

// Groups the checks into five successive gates, which older clients read.

export const GATES = ['profile', 'economics', 'payout', 'tracking', 'live'] as const;
export type Gate = (typeof GATES)[number];

/** Other checks belong to the last gate. */
const GATE_OF: Readonly<Record<string, Gate>> = {
	partner_link: 'profile',
	commission_rule: 'economics',
	stripe_events_selected: 'payout',
	stripe_reversals_linked: 'payout',
	sales_reported_once: 'payout',
	allowed_origins: 'tracking',
	origins_accepted: 'tracking',
	click_received: 'tracking',
};

export interface GateVerdict {
	readonly gate: Gate;
	readonly isPassed: boolean;
	/** Null if the gate is passed. */
	readonly nextAction: string | null;
}

export function gatesOf(checks: readonly IntegrationCheck[]): GateVerdict[] {
	const missing = checks.filter((check) => !check.ok && isNeeded(check, checks));
	return GATES.map((gate) => {
		const first = missing.find(({ name }) => gateOf(name) === gate);
		return { gate, isPassed: first === undefined, nextAction: first?.nextAction ?? null };
	});
}

function gateOf(name: string): Gate {
	return GATE_OF[name] ?? (/_(?:events_received|events_applied|signatures_match|timestamps_match)$/.test(name) ? 'payout' : 'live');
}

/**
 * Stripe is optional. Origin checks become advice once clicks arrive; signature checks once an event is accepted, because anybody can forge
 * one.
 */
function isNeeded({ name }: IntegrationCheck, checks: readonly IntegrationCheck[]): boolean {
	if (name === 'stripe_connected') return false;
	const signed = /^(.+)_(?:signatures|timestamps)_match$/.exec(name)?.[1];
	if (signed !== undefined) return !checks.some((check) => check.name === `${signed}_events_received` && check.ok);
	const isOfOrigins = name === 'allowed_origins' || name === 'origins_accepted';
	return !isOfOrigins || !checks.some((check) => check.name === 'click_received' && check.ok);
}
