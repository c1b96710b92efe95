import { ProcessorEventsJob } from '../../src/job.ts';
import { QUEUES } from '../world/queue.ts';
import type { CustomerRow, InboxRow, SaleRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import type { Claims, EventDelivery, Payer, ParsedSale } from '../world/account.ts';
import { byId, type Invariant, violated } from './invariant.ts';
import { counting, countingSale } from './payments.ts';

// An event is stored, settled once, and does only what it says.

const MINUTE_MS = 60_000;
/** How long a payment intent waits for its checkout. */
const CHECKOUT_WAIT_MS = 60 * MINUTE_MS;
const DAY_MS = 86_400_000;
/** See the settings in Simulation. */
const PAYLOAD_MS = 30 * DAY_MS;

export const received: Invariant = { name: 'an acknowledged event is in the inbox, once', onAnswers: true, check: checkReceived };
export const settled: Invariant = { name: 'a settled event stays settled', check: checkSettled };
export const resumed: Invariant = { name: 'a report resumes the events that wait for it', check: checkResumed };
export const deeds: Invariant = { name: 'an event does only what it says, in its program and mode', check: checkDeeds };
export const once: Invariant = { name: 'a payment is one sale, whatever reports it', check: checkOnce };
export const kept: Invariant = { name: 'every stored reversal was reported', check: checkKept };

export function deliveryBehind(sim: Simulation, opId: string): { row: InboxRow; delivery: EventDelivery } | undefined {
	const id = /^processor_event:(\d+):/.exec(opId)?.[1];
	const row = id === undefined ? undefined : sim.rows.inbox.find((candidate) => candidate.id === Number(id));
	const delivery = row && sim.account.deliveryOf(row.program_id, row.event_id);
	return row && delivery && { row, delivery };
}

/** Undefined if no processor event recorded the sale. */
export function paidAt(sim: Simulation, opId: string): number | undefined {
	const found = deliveryBehind(sim, opId);
	return found?.delivery.paidAt;
}

function checkReceived(sim: Simulation): void {
	const rows = new Map(sim.rows.inbox.map((row) => [`${row.program_id} ${row.event_id}`, row]));
	if (rows.size !== sim.rows.inbox.length) throw violated(received.name, 'an event is stored twice');
	const sentKeys = new Set<string>();
	for (const { params: sent, answer } of sim.journal.of('webhook')) {
		const key = `${sent.program.id} ${sent.eventId}`;
		const row = rows.get(key);
		if (sent.isForged) {
			if (answer?.state === 'answered') throw violated(received.name, `forged event ${sent.eventId} was acknowledged`);
			continue;
		}
		sentKeys.add(key);
		if (answer?.state === 'rejected') throw violated(received.name, `event ${sent.eventId} was refused: ${answer.rejection.message}`);
		if (answer?.state !== 'answered') continue;
		const delivery = sim.account.deliveryOf(sent.program.id, sent.eventId);
		if (row?.type !== sent.type || (row.is_test === 1) !== delivery?.purchase.payer.isTest)
			throw violated(received.name, `event ${sent.eventId} is not stored as sent`);
		const isPurgeable = row.settled_at !== null && row.settled_at <= sim.now - PAYLOAD_MS;
		if (row.has_payload === 0 && !isPurgeable && !isAnyErased(sim, sent.program.id))
			throw violated(received.name, `the body of event ${sent.eventId} is gone`);
	}
	for (const key of rows.keys()) if (!sentKeys.has(key)) throw violated(received.name, `event ${key} was never sent`);
}

/** If so, payloads may be missing, because an erasure also finds them by ids that only the processor connects. */
export function isAnyErased(sim: Simulation, programId: number): boolean {
	return sim.journal.of('erase').some(({ params }) => params.program.id === programId);
}

function checkSettled(sim: Simulation): void {
	if (sim.rows.inbox === sim.before.inbox) return;
	const isReopened = sim.journal.requests.some(({ kind, step }) => step === sim.step && (kind === 'reopen' || kind === 'replay'));
	const before = byId(sim.before.inbox);
	const listening = new Set(sim.before.waits.map((wait) => wait.processor_event_id));
	for (const row of sim.rows.inbox) {
		const old = before.get(row.id);
		// An event without a known customer is evaluated again when another event adds information.
		if (!old || old.settled_at === null || isReopened || listening.has(row.id)) continue;
		if (row.settled_at !== old.settled_at || row.state !== old.state || row.reason !== old.reason || row.sale_id !== old.sale_id)
			throw violated(settled.name, `event ${row.event_id} was ${old.state} and is now ${row.state}`);
	}
	if (sim.before.inbox.some(({ id }) => !sim.rows.inbox.some((row) => row.id === id))) throw violated(settled.name, 'an event is gone');
}

/** An event must be processed or due once another event has reported the id it waits for. */
function checkResumed(sim: Simulation): void {
	if (sim.rows.inbox === sim.before.inbox) return;
	const before = byId(sim.before.inbox);
	const now = byId(sim.rows.inbox);
	for (const row of sim.rows.inbox) {
		if (row.state !== 'applied' || row.sale_id === null || before.get(row.id)?.settled_at !== null) continue;
		const reported = new Set(idsIn(sim, row));
		for (const wait of sim.before.waits) {
			const waiting = now.get(wait.processor_event_id);
			const isAsBefore = waiting?.revision === before.get(wait.processor_event_id)?.revision;
			if (wait.program_id === row.program_id && reported.has(wait.processor_id) && waiting?.state === 'waiting' && isAsBefore)
				throw violated(resumed.name, `event ${waiting.event_id} still waits for ${wait.processor_id}, which ${row.event_id} reported`);
		}
		for (const { program_id, processor_event_id, processor_id } of sim.rows.waits) {
			const waiting = now.get(processor_event_id);
			// An id that another program's sale uses remains with that sale.
			const isTaken =
				!hasOwnIds(sim, row) && (countingSale(sim.rows, processor_id, row.is_test, program_id)?.program_id ?? program_id) !== program_id;
			if (program_id === row.program_id && reported.has(processor_id) && waiting && !isTaken && isStuck(sim, waiting))
				throw violated(
					resumed.name,
					`event ${waiting.event_id} stays parked, although ${row.event_id} reported ${processor_id} at the same instant`,
				);
		}
	}
	checkBeginning(sim, before, now);
}

/** An event parked in this step is due within a minute, because its consumer may have died before the last check. */
function checkBeginning(sim: Simulation, before: ReadonlyMap<number, InboxRow>, now: ReadonlyMap<number, InboxRow>): void {
	const known = new Set(sim.before.waits.map((wait) => `${wait.processor_event_id} ${wait.processor_id}`));
	for (const { processor_event_id, processor_id } of sim.rows.waits) {
		const waiting = now.get(processor_event_id);
		const isOneWrite = waiting?.revision === (before.get(processor_event_id)?.revision ?? Number.NaN) + 1;
		if (known.has(`${processor_event_id} ${processor_id}`) || waiting?.state !== 'waiting' || !isOneWrite || isSwept(sim)) continue;
		if ((waiting.next_attempt_at ?? Infinity) > sim.now + MINUTE_MS)
			throw violated(resumed.name, `event ${waiting.event_id} is parked for ${processor_id} and not due within a minute`);
	}
}

/** Whether an event that needs only the sale with its ids is not due, and no consumer will retry it. */
function isStuck(sim: Simulation, row: InboxRow): boolean {
	const says = sim.account.deliveryOf(row.program_id, row.event_id)?.says.kind;
	const isIdle = row.state === 'waiting' && (row.next_attempt_at ?? 0) > sim.now;
	return isIdle && (says === 'reversal' || says === 'ids') && !awaitsCharge(sim, row) && !isSwept(sim) && !isRedelivered(sim, row.id);
}

/** A sale in another currency also needs its charge (decision 60). */
function awaitsCharge(sim: Simulation, row: InboxRow): boolean {
	const currency = sim.account.deliveryOf(row.program_id, row.event_id)?.purchase.payer.price.currency;
	return idsIn(sim, row).some((id) => {
		const sale = countingSale(sim.rows, id, row.is_test, row.program_id);
		return sale !== undefined && sale.charged_cents === null && sale.currency !== currency;
	});
}

/** A sweep postpones each event that it sends. */
function isSwept(sim: Simulation): boolean {
	return sim.journal.requests.some(({ kind, step }) => step === sim.step && kind === 'tick');
}

/** Whether a consumer died while processing the event, so that the message is delivered again. */
function isRedelivered(sim: Simulation, id: number): boolean {
	return sim.queues.messages.some(({ attempts, queue, body }) => {
		const { data: job } = ProcessorEventsJob.safeParse(body);
		return (attempts > 0 || queue === QUEUES.dead) && job?.ids.includes(id) === true;
	});
}

function hasOwnIds(sim: Simulation, { program_id, event_id }: InboxRow): boolean {
	return sim.account.deliveryOf(program_id, event_id)?.purchase.payer.processor === 'custom';
}

function idsIn(sim: Simulation, row: InboxRow): readonly string[] {
	return sim.account.deliveryOf(row.program_id, row.event_id)?.ids ?? [];
}

function checkDeeds(sim: Simulation): void {
	const sales = byId(sim.rows.sales);
	for (const row of sim.rows.inbox) {
		if (row.sale_id === null) continue;
		const sale = sales.get(row.sale_id);
		if (sale?.program_id !== row.program_id || sale.is_test !== row.is_test)
			throw violated(deeds.name, `event ${row.event_id} names sale ${row.sale_id} of another program or mode`);
		const named = idsIn(sim, row).map((id) => countingSale(sim.rows, id, row.is_test, row.program_id)?.id);
		if (!named.includes(counting(sim.rows, sale)?.id))
			throw violated(deeds.name, `event ${row.event_id} names sale ${row.sale_id}, but none of its ids leads there`);
	}
	for (const sale of sim.rows.sales) checkSale(sim, sale);
	for (const refund of sim.rows.refunds) {
		const found = deliveryBehind(sim, refund.op_id);
		if (!found) continue;
		const { row, delivery } = found;
		if (refund.program_id !== row.program_id || refund.is_test !== row.is_test || isForeign(delivery) || delivery.says.kind === 'nothing')
			throw violated(deeds.name, `event ${row.event_id} must not refund ${refund.amount_cents} of sale ${refund.sale_id}`);
	}
}

function checkSale(sim: Simulation, sale: SaleRow): void {
	const found = deliveryBehind(sim, sale.op_id);
	if (!found) return;
	const { row, delivery } = found;
	const { says, purchase } = delivery;
	const { payer, isRenewal } = purchase;
	const isRight =
		says.kind === 'sale' &&
		!isForeign(delivery) &&
		sale.program_id === row.program_id &&
		sale.is_test === row.is_test &&
		sale.processor_event_id === says.sale.transactionId &&
		sale.id_scope === (payer.processor === 'custom' ? row.program_id : 0) &&
		amountsOf(sim, delivery, says.sale, row).includes(sale.amount_cents) &&
		sale.currency === payer.price.currency &&
		sale.charged_cents === says.sale.chargedCents &&
		sale.subscription_id === (payer.subscription?.id ?? null) &&
		says.sale.products.includes(sale.product_id) &&
		(sale.is_recurring === 1) === isRenewal;
	if (!isRight) throw violated(deeds.name, `sale ${sale.id} is not what event ${row.event_id} (${row.type}) says`);
	const customer = sim.rows.customers.find(({ id }) => id === sale.customer_id);
	if (sale.is_test === 0 && !isNamed(sim, delivery, sale, customer))
		throw violated(
			deeds.name,
			`sale ${sale.id} belongs to customer ${customer?.customer_key}, whom no claim for ${delivery.event.id} names`,
		);
}

/** The gross amount is allowed if the checkout's bill did not arrive in time. */
function amountsOf(
	sim: Simulation,
	{ program, purchase }: EventDelivery,
	{ netCents, grossCents, needsBill }: ParsedSale,
	row: InboxRow,
): number[] {
	if (program.amountBasis === 'gross') return [grossCents];
	return needsBill && !hasBill(sim, purchase.payer, row) ? [netCents, grossCents] : [netCents];
}

function hasBill(sim: Simulation, payer: Payer, { program_id, received_at }: InboxRow): boolean {
	return sim.rows.inbox.some((row) => {
		const delivery = sim.account.deliveryOf(row.program_id, row.event_id);
		const isIt = delivery?.purchase.payer === payer && row.program_id === program_id && delivery.isBill;
		const isReported = row.state === (delivery?.says.kind === 'sale' ? 'applied' : 'ignored');
		return isIt && isReported && row.settled_at !== null && row.settled_at < received_at + CHECKOUT_WAIT_MS;
	});
}

export function isForeign({ claims, program }: EventDelivery): boolean {
	return claims?.programId !== undefined && claims.programId !== program.id;
}

/** Whether a claim names the customer, by key or otherwise by click. A renewal may also follow an earlier sale if the program allows it. */
function isNamed(sim: Simulation, { purchase, program }: EventDelivery, sale: SaleRow, customer: CustomerRow | undefined): boolean {
	const isFollowing =
		purchase.isRenewal &&
		program.renewalsFollowCheckout &&
		sim.rows.sales.some((other) => other.id < sale.id && isSameSubscription(other, sale) && other.customer_id === sale.customer_id);
	const isMeant = (said: Claims) =>
		(said.customerKey !== undefined && said.customerKey === customer?.customer_key) || said.clickId === (customer?.click_id ?? null);
	return isFollowing || purchase.claims.some(isMeant);
}

function isSameSubscription(one: SaleRow, other: SaleRow): boolean {
	return one.program_id === other.program_id && one.is_test === other.is_test && one.subscription_id === other.subscription_id;
}

function checkOnce(sim: Simulation): void {
	for (const sale of sim.rows.sales) {
		const found = sale.duplicate_of_sale_id === null ? deliveryBehind(sim, sale.op_id) : undefined;
		if (!found) continue;
		const { ids } = found.delivery.purchase;
		const twin = sim.rows.sales.find(
			(other) =>
				other.id > sale.id &&
				other.program_id === sale.program_id &&
				other.is_test === sale.is_test &&
				other.duplicate_of_sale_id === null &&
				ids.includes(other.processor_event_id) &&
				deliveryBehind(sim, other.op_id) !== undefined,
		);
		if (twin) throw violated(once.name, `sales ${sale.id} and ${twin.id} are one payment`);
	}
}

function checkKept(sim: Simulation): void {
	if (sim.account.payers.length === 0) return;
	const sales = byId(sim.rows.sales);
	const reported = new Set<string>();
	for (const row of sim.rows.inbox) {
		const delivery = sim.account.deliveryOf(row.program_id, row.event_id);
		if (delivery?.says.kind !== 'reversal' || row.is_test === 1) continue;
		for (const { kind, id, amountCents, isUndone } of delivery.says.reversals) {
			reported.add(`${row.program_id} ${kind} ${id} ${amountCents}`);
			if (isUndone) reported.add(`${row.program_id} ${kind} ${id} undone`);
		}
	}
	for (const row of sim.rows.reportedReversals) {
		const name = `${sales.get(row.sale_id)?.program_id} ${row.kind} ${row.reversal_id}`;
		if (!reported.has(`${name} ${row.amount_cents}`) || (row.undone_at !== null && !reported.has(`${name} undone`)))
			throw violated(kept.name, `${name} of ${row.amount_cents}, undone at ${row.undone_at}, was reported by no event`);
	}
}
