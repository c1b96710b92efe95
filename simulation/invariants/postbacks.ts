import { amountText } from '../../src/domain/webhooks/postback.ts';
import type { PostbackCallRow } from '../world/rows-of-receivers.ts';
import type { Simulation } from '../world/simulation.ts';
import { byId, type Invariant, violated } from './invariant.ts';

// One delivery per selected event of the partner's links. After a membership ends or a postback is disabled, a delivery is optional,
// because requests may overtake each other.

export const noted: Invariant = {
	name: 'a postback event waits in the outbox or has a delivery, once',
	reads: ['customers', 'refunds', 'commissions', 'outbox', 'memberships', 'notifications', 'postbacks', 'postbackCalls'],
	check: checkNoted,
};
export const called: Invariant = {
	name: 'a postback is called only for a pending delivery',
	onAnswers: true,
	check: checkCalled,
};

/** Remembered because the log keeps only 30 days, and an ended membership may become active again. */
interface Past {
	readonly calls: Map<number, PostbackCallRow>;
	readonly ended: Set<number>;
}

const pasts = new WeakMap<Simulation, Past>();

function pastOf(sim: Simulation): Past {
	const past = pasts.get(sim) ?? { calls: new Map(), ended: new Set() };
	pasts.set(sim, past);
	for (const call of sim.rows.postbackCalls) past.calls.set(call.id, call);
	for (const { memberships } of [...sim.circumstances, sim.rows])
		for (const { id, status } of memberships) if (status === 'ended') past.ended.add(id);
	return past;
}

interface Happening {
	readonly membershipId: number;
	readonly waitsAs: string;
	readonly event: string;
	readonly call: string;
}

function happeningsIn({ rows }: Simulation): Happening[] {
	const commissions = new Map(rows.commissions.map((commission) => [commission.sale_id, commission]));
	const happenings: Happening[] = [];
	for (const { id, status, partner_program_id: membershipId } of rows.customers) {
		// A customer who bought was not necessarily a lead.
		if (status === 'lead' && membershipId !== null)
			happenings.push({ membershipId, waitsAs: `lead_recorded ${id}`, event: 'lead', call: `lead ${id} of 0` });
	}
	for (const { id, partner_program_id: membershipId, status, amount_cents: cents, deducted_cents: deducted } of rows.commissions) {
		happenings.push({ membershipId, waitsAs: `commission_created ${id}`, event: 'sale', call: `sale ${id} of ${cents}` });
		if (status !== 'rejected') continue;
		const call = `reversed ${id} of ${cents - deducted}`;
		happenings.push({ membershipId, waitsAs: `commission_rejected ${id}`, event: 'reversed', call });
	}
	for (const { id, sale_id, outcome, is_test, deduction_cents: cents } of rows.refunds) {
		const commission = commissions.get(sale_id);
		if (is_test || outcome === 'skipped' || !commission || cents === null || cents === 0) continue;
		const event = outcome === 'reinstated' ? 'reinstated' : 'reversed';
		const membershipId = commission.partner_program_id;
		happenings.push({ membershipId, waitsAs: `sale_refunded ${id}`, event, call: `${event} ${id} of ${cents}` });
	}
	return happenings;
}

function checkNoted(sim: Simulation): void {
	const { rows } = sim;
	const past = pastOf(sim);
	const open = new Set(rows.outbox.map(({ kind, subject_id }) => `${kind} ${subject_id}`));
	const happened = happeningsIn(sim);
	for (const postback of rows.postbacks) {
		const events: readonly string[] = JSON.parse(postback.events);
		const calls = [...past.calls.values()].filter(({ postback_id }) => postback_id === postback.id);
		const found = calls.map(({ event, subject_id, amount_cents }) => `${event} ${subject_id} of ${amount_cents}`);
		const own = happened.filter(({ membershipId, event }) => membershipId === postback.partner_program_id && events.includes(event));
		const left = own.filter(({ waitsAs }) => !open.has(waitsAs)).map(({ call }) => call);
		for (const [index, call] of found.entries()) {
			const at = left.indexOf(call);
			// A lead who has bought since.
			const isOld = at === -1 && call.startsWith('lead') && found.indexOf(call) === index;
			if (at === -1 && !isOld)
				throw violated(noted.name, `postback ${postback.id} has a delivery of ${call}, which did not happen, or two`);
			if (at !== -1) left.splice(at, 1);
		}
		if (postback.disabled_for !== null || past.ended.has(postback.partner_program_id)) continue;
		if (left[0] !== undefined) throw violated(noted.name, `postback ${postback.id} has no delivery of ${left[0]}`);
	}
	checkNotices(sim);
}

/** A partner is notified once when their postback is disabled. */
function checkNotices({ rows }: Simulation): void {
	const memberships = byId(rows.memberships);
	const off = rows.postbacks.filter(({ disabled_for }) => disabled_for !== null);
	const wanted = off.map(({ partner_program_id }) => memberships.get(partner_program_id)?.partner_id).toSorted();
	const notified = rows.notifications
		.filter(({ kind }) => kind === 'postback_disabled')
		.map(({ partner_id }) => partner_id)
		.toSorted();
	if (wanted.join() !== notified.join())
		throw violated(noted.name, `partners ${wanted.join()} have disabled postbacks, notified were ${notified.join()}`);
}

function checkCalled({ network }: Simulation): void {
	const [amiss] = network.amiss;
	if (amiss !== undefined) throw violated(called.name, `${amiss} was called without a pending delivery`);
}

/** Once every call succeeds, every delivery must have arrived. */
export function checkCallsAtRest(sim: Simulation): void {
	const { calls, ended } = pastOf(sim);
	const postbacks = byId(sim.rows.postbacks);
	const delivered = new Map<string, number>();
	// Deliveries of an erased partner are deleted.
	for (const { id, postback_id, state, last_error } of sim.rows.postbackCalls) {
		const postback = postbacks.get(postback_id);
		const isOn = postback?.disabled_for === null && !ended.has(postback.partner_program_id);
		if (state === 'pending' || (state === 'failed' && isOn))
			throw violated(called.name, `call ${id} of postback ${postback_id} is ${state} (${last_error}) at the end`);
	}
	for (const { postback_id, event, amount_cents, currency, state } of calls.values()) {
		const postback = postbacks.get(postback_id);
		const call = `/${postback?.partner_program_id} ${event} ${amountText(amount_cents, currency)} ${currency}`;
		if (state === 'delivered') delivered.set(call, (delivered.get(call) ?? 0) + 1);
	}
	for (const [call, count] of delivered) {
		const taken = sim.network.taken.get(call) ?? 0;
		if (taken < count) throw violated(called.name, `${call} succeeded ${taken} times, but is recorded as delivered ${count} times`);
	}
}
