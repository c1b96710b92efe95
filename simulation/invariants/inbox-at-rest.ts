import { nameOf } from '../world/erased.ts';
import { halfUp } from '../world/oracle.ts';
import type { InboxRow, SaleRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import type { Claims, EventDelivery, Purchase } from '../world/account.ts';
import { WORLD } from '../world/world.ts';
import { isTooLate } from './beginnings.ts';
import { isAnyErased, isForeign } from './inbox.ts';
import { violated } from './invariant.ts';
import { countingSale } from './payments.ts';

// The final effect of all processor events, derived from what happened at the processors, not from what the service read.

const NAME = 'every reported event has had its effect';

/** When each customer was first seen attributed, by program and key. */
const attributed = new WeakMap<Simulation, Map<string, number>>();

/** Called after each step. */
export function noteAttributed(sim: Simulation): void {
	const known = attributed.get(sim) ?? new Map<string, number>();
	attributed.set(sim, known);
	for (const { program_id, customer_key, partner_program_id } of sim.rows.customers) {
		const name = `${program_id} ${customer_key}`;
		if (partner_program_id !== null && !known.has(name)) known.set(name, sim.now);
	}
}

export function checkInboxAtRest(sim: Simulation): void {
	const rows = new Map(sim.rows.inbox.map((row) => [`${row.program_id} ${row.event_id}`, row]));
	const rowOf = (delivery: EventDelivery) => rows.get(`${delivery.program.id} ${delivery.event.id}`);
	const deliveries = sim.account.deliveries();
	for (const delivery of deliveries) {
		const row = rowOf(delivery);
		if (!row) {
			if (delivery.isAcknowledged) throw violated(NAME, `event ${delivery.event.id} is not in the inbox`);
			continue;
		}
		if (row.settled_at === null || row.state === 'failed') throw violated(NAME, `event ${delivery.event.id} (${row.type}) is ${row.state}`);
		if (isOfErased(sim, row, delivery)) continue;
		if (isForeign(delivery) && delivery.isAboutSomebody !== (row.state === 'refused'))
			throw violated(NAME, `event ${delivery.event.id} names another program, but is ${row.state}`);
		if (isOfNobody(delivery) && row.state === 'expired')
			throw violated(NAME, `event ${row.event_id} expired, although it says itself that its customer is unknown`);
		if (delivery.says.kind === 'sale') checkPaid(sim, delivery, row, claimsOf(sim, delivery, row, deliveries, rowOf));
	}
	for (const purchase of sim.account.purchases()) {
		const own = deliveries.filter((delivery) => delivery.purchase === purchase && delivery.program === purchase.payer.program);
		const arrived = own.flatMap((delivery): Arrived[] => {
			const row = rowOf(delivery);
			return row ? [{ delivery, row }] : [];
		});
		const isRefused = arrived.some(({ delivery, row }) => isOfErased(sim, row, delivery));
		if (arrived.length === own.length && !isRefused) checkPurchase(sim, purchase, arrived);
	}
}

/** A checkout without claims; no later event will name its customer. */
function isOfNobody({ event, says, purchase }: EventDelivery): boolean {
	return event.type === 'checkout.session.completed' && says.kind === 'sale' && purchase.payer.claims.length === 0;
}

/** If its customer was erased, the event was refused or can no longer find the customer. */
function isOfErased(sim: Simulation, { state, reason }: InboxRow, { program, claims, purchase }: EventDelivery): boolean {
	if (!isAnyErased(sim, program.id)) return false;
	if (state === 'refused' && reason?.includes('its customer was erased')) return true;
	const gone = sim.erased.idsIn(sim.rows);
	const { payer } = purchase;
	const ids = [claims, ...payer.claims].flatMap((said) => [said?.customerKey, said?.clickId]);
	const subscription = payer.subscription?.id;
	const erased = new Set(sim.rows.customers.filter(({ erased_at }) => erased_at !== null).map(({ id }) => id));
	const isTheirs = sim.rows.sales.some((sale) => sale.subscription_id === subscription && erased.has(sale.customer_id ?? 0));
	return ids.some((id) => id !== undefined && gone.has(nameOf(program.id, id))) || (subscription !== undefined && isTheirs);
}

interface Arrived {
	readonly delivery: EventDelivery;
	readonly row: InboxRow;
}

/** A payment becomes a sale if its customer was known in time. */
function checkPaid(sim: Simulation, delivery: EventDelivery, row: InboxRow, claims: Claims | undefined): void {
	const { purchase, program } = delivery;
	const sale = saleOf(sim, purchase, program.id, row.is_test);
	if (row.state === 'applied' && !sale) throw violated(NAME, `event ${row.event_id} is applied, but there is no sale`);
	if (row.state === 'applied' || isForeign(delivery)) return;
	// An event need not be applied if it names an unknown click or if its payment id belongs to another program.
	const isExempt = delivery.claims?.clickId !== undefined || isElsewhere(sim, purchase, program.id);
	// If two events expire, the first settles the payment as unattributed, and the second follows it.
	const hasWaited = row.settled_at !== null && row.settled_at >= row.expires_at;
	const isExcused = isExempt || isUntied(sim, delivery, sale) || isByLateClick(sim, delivery, claims);
	if (sale && row.state !== 'expired' && !(row.state === 'ignored' && hasWaited) && !isExcused)
		throw violated(NAME, `event ${row.event_id} of sale ${sale.id} is ${row.state}: ${row.reason}`);
	if (row.is_test === 1) {
		if (
			!sale &&
			delivery.claims &&
			(delivery.claims.customerKey ?? delivery.claims.clickId) !== undefined &&
			!isElsewhere(sim, purchase, program.id)
		)
			throw violated(NAME, `test event ${row.event_id} is ${row.state}: ${row.reason}`);
		return;
	}
	if (isAttributable(sim, delivery, row, claims) && !isElsewhere(sim, purchase, program.id))
		throw violated(NAME, `event ${row.event_id} is ${row.state} (${row.reason}), although its payer is known`);
}

/** The claims of the event itself, of the event that reports them in time, or of a renewal's first buyer if the program allows it. */
function claimsOf(
	sim: Simulation,
	delivery: EventDelivery,
	row: InboxRow,
	deliveries: readonly EventDelivery[],
	rowOf: (delivery: EventDelivery) => InboxRow | undefined,
): Claims | undefined {
	const { payer, isRenewal } = delivery.purchase;
	if (delivery.claims) return delivery.claims;
	const isReporter = ({ purchase, program, event }: EventDelivery) =>
		purchase.payer === payer && program === delivery.program && event.type === delivery.reportedBy;
	const other = deliveries.find(isReporter);
	const reporter = other && !isForeign(other) ? rowOf(other) : undefined;
	// An unpaid checkout is ignored, but still identifies the customer.
	const isReported = reporter?.state === 'applied' || (other?.says.kind === 'nothing' && reporter?.state === 'ignored');
	// An event that is ignored because it has no customer keeps waiting until it expires.
	const until = row.state === 'ignored' ? row.expires_at : (row.settled_at ?? 0);
	if (isReported && (reporter?.settled_at ?? 0) < until) return other?.claims;
	return isRenewal && delivery.program.renewalsFollowCheckout ? firstBuyer(sim, delivery, row) : undefined;
}

function firstBuyer(sim: Simulation, { purchase, program }: EventDelivery, row: InboxRow): Claims | undefined {
	const subscription = purchase.payer.subscription?.id;
	const [first] = sim.rows.sales.filter(({ subscription_id, program_id, is_test }) => {
		return subscription_id === subscription && program_id === program.id && is_test === 0;
	});
	if (!first || first.created_at >= (row.settled_at ?? 0)) return undefined;
	const buyer = sim.rows.customers.find(({ id }) => id === first.customer_id);
	return { customerKey: buyer?.customer_key ?? undefined, clickId: buyer?.click_id ?? undefined, programId: undefined };
}

/** Whether the click came after the payment or after the subscription started. */
function isByLateClick(sim: Simulation, delivery: EventDelivery, claims: Claims | undefined): boolean {
	const { program, purchase } = delivery;
	const customer = sim.rows.customers.find(
		({ program_id, customer_key }) => program_id === program.id && customer_key !== null && customer_key === claims?.customerKey,
	);
	const clickedAt = customer?.clicked_at ?? sim.issuedClicks.get(claims?.clickId ?? '')?.clickedAt;
	const instants = [delivery.paidAt, purchase.payer.subscription?.beganAt].filter((instant) => instant !== undefined);
	return clickedAt !== undefined && instants.some((instant) => isTooLate(clickedAt, instant));
}

function isAttributable(sim: Simulation, delivery: EventDelivery, row: InboxRow, claims: Claims | undefined): boolean {
	if (!claims || isByLateClick(sim, delivery, claims)) return false;
	const { program } = delivery;
	const { customerKey, clickId } = claims;
	const since = attributed.get(sim)?.get(`${program.id} ${customerKey}`);
	const customer = sim.rows.customers.find(({ program_id, customer_key }) => program_id === program.id && customer_key === customerKey);
	if (customerKey !== undefined && customer) return since !== undefined && since < row.received_at;
	const visit = clickId === undefined ? undefined : sim.issuedClicks.get(clickId);
	const link = visit && WORLD.links.find(({ id }) => id === visit.linkId);
	return visit?.isTest === false && link?.programId === program.id && visit.clickedAt < row.received_at;
}

/** Whether one of its ids belongs to another program's sale. Programs never share order numbers. */
function isElsewhere(sim: Simulation, { ids, payer }: Purchase, programId: number): boolean {
	if (payer.processor === 'custom') return false;
	return ids.some((id) => {
		const sale = countingSale(sim.rows, id, payer.isTest ? 1 : 0, programId);
		return sale !== undefined && sale.program_id !== programId;
	});
}

/** Whether only the backend reported the sale, because the event that links its ids was refused. */
function isUntied(sim: Simulation, { purchase }: EventDelivery, sale: SaleRow | undefined): boolean {
	if (sale === undefined || sim.rows.inbox.some(({ sale_id }) => sale_id === sale.id)) return false;
	return sim.account.deliveries().some((other) => other.purchase === purchase && isForeign(other));
}

function saleOf(sim: Simulation, { ids }: Purchase, programId: number, isTest: number): SaleRow | undefined {
	const found = ids.map((id) => countingSale(sim.rows, id, isTest, programId));
	return found.find((sale) => sale?.program_id === programId);
}

/** Expired before its ids found a sale. */
function gaveUpIds({ state, sale_id, settled_at, expires_at }: InboxRow): boolean {
	return state === 'applied' && sale_id === null && settled_at !== null && settled_at >= expires_at;
}

/** If every event of a payment arrived, all of them lead to one sale with all reversals. */
function checkPurchase(sim: Simulation, purchase: Purchase, arrived: readonly Arrived[]): void {
	const { program, isTest } = purchase.payer;
	const sale = saleOf(sim, purchase, program.id, isTest ? 1 : 0);
	const isPaid = arrived.some(({ delivery }) => delivery.says.kind === 'sale');
	if (!sale || !isPaid || isTest || isElsewhere(sim, purchase, program.id)) return;
	const tied = arrived.filter(({ delivery, row }) => delivery.says.kind !== 'reversal' && row.state === 'applied');
	const lastly = Math.max(sale.created_at, ...arrived.map(({ row }) => row.received_at), ...tied.map(({ row }) => row.settled_at ?? 0));
	const idle = arrived.filter(({ delivery, row }) => delivery.says.kind !== 'nothing' && row.state !== 'applied');
	// Without an event that links ids, the others may not find the sale.
	if (idle.some(({ delivery }) => isForeign(delivery))) return;
	if (idle.some(({ delivery, row }) => delivery.says.kind !== 'reversal' && (row.settled_at ?? 0) <= lastly)) return;
	if (arrived.some(({ row }) => gaveUpIds(row) && (row.settled_at ?? 0) <= lastly)) return;
	const late = idle.find(({ row }) => (row.settled_at ?? 0) > lastly);
	if (late) throw violated(NAME, `event ${late.row.event_id} is ${late.row.state}: ${late.row.reason}; its sale is ${sale.id}`);
	const counting = new Set(purchase.ids.map((id) => countingSale(sim.rows, id, 0, program.id)?.id).filter((id) => id !== undefined));
	if (counting.size > 1 && arrived.every(({ row }) => row.state === 'applied'))
		throw violated(NAME, `the payment of sale ${sale.id} is recorded as sales ${[...counting].join()}`);
	checkReversals(sim, sale, arrived);
	if (arrived.every(({ delivery, row }) => delivery.says.kind === 'nothing' || row.state === 'applied')) checkRefunded(sim, purchase, sale);
}

/** The refunded amount is the sale's share of the refunds, regardless of the order of events. */
function checkRefunded(sim: Simulation, { payer, refunds, dispute, chargedCents }: Purchase, sale: SaleRow): void {
	// The backend may have reported a different amount, or its own refunds.
	if (sale.charged_cents !== chargedCents || sale.reported_refund_cents > 0) return;
	sim.count(`${payer.processor}: all of a payment came`);
	const held = dispute.state === 'open' || dispute.state === 'lost' ? dispute.cents : 0;
	const net = refunds.reduce((sum, { cents, hasFailed }) => (hasFailed ? sum : sum + cents), held);
	const due = halfUp(sale.amount_cents, Math.min(net, chargedCents), chargedCents);
	if (sale.refunded_cents !== due)
		throw violated(NAME, `sale ${sale.id} of ${sale.amount_cents}: ${sale.refunded_cents} refunded, should be ${due}`);
}

/** The stored reversals are exactly those of the applied events. */
function checkReversals(sim: Simulation, sale: SaleRow, arrived: readonly Arrived[]): void {
	const due = new Map<string, boolean>();
	for (const { delivery, row } of arrived) {
		if (delivery.says.kind !== 'reversal' || row.state !== 'applied') continue;
		for (const { kind, id, amountCents, isUndone } of delivery.says.reversals) {
			const name = `${kind} ${id} ${amountCents}`;
			due.set(name, isUndone || due.get(name) === true);
		}
	}
	const kept = sim.rows.reportedReversals.filter(({ sale_id }) => sale_id === sale.id);
	const stored = kept.map((row) => `${row.kind} ${row.reversal_id} ${row.amount_cents} ${row.undone_at !== null}`).toSorted();
	const said = [...due].map(([name, isUndone]) => `${name} ${isUndone}`).toSorted();
	const foreign = stored.filter((name) => !said.includes(name));
	const missing = said.filter((name) => !stored.includes(name));
	if (missing.length > 0 || foreign.length > 0)
		throw violated(NAME, `reversals of sale ${sale.id}: missing ${missing.join()}; stored but never reported ${foreign.join()}`);
}
