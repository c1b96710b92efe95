import { nameOf } from '../world/erased.ts';
import { halfUp } from '../world/oracle.ts';
import type { InboxRow, SaleRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import type { Claims, Mail, Purchase } from '../world/account.ts';
import { WORLD } from '../world/world.ts';
import { isTooLate } from './beginnings.ts';
import { isAnyErased, isForeign } from './inbox.ts';
import { violated } from './invariant.ts';
import { countingSale } from './payments.ts';

// What must have come of all that the processors told, once everything is processed and every wait is over. It is worked out from
// what happened there, not from what the service read.

const NAME = 'everything that was told has come to what it says';

/** Since when a customer was known to be attributed, as the steps saw it. */
const attributed = new WeakMap<Simulation, Map<string, number>>();

/** Notes, after each step, who is attributed by now. */
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
	const rowOf = (mail: Mail) => rows.get(`${mail.program.id} ${mail.event.id}`);
	const mails = sim.account.mails();
	for (const mail of mails) {
		const row = rowOf(mail);
		if (!row) {
			if (mail.isAcknowledged) throw violated(NAME, `event ${mail.event.id} is not in the inbox`);
			continue;
		}
		if (row.settled_at === null || row.state === 'failed') throw violated(NAME, `event ${mail.event.id} (${row.type}) is ${row.state}`);
		if (isOfErased(sim, row, mail)) continue;
		if (isForeign(mail) && mail.isAboutSomebody !== (row.state === 'refused'))
			throw violated(NAME, `event ${mail.event.id} names another program and is ${row.state}`);
		if (isOfNobody(mail) && row.state === 'expired')
			throw violated(NAME, `event ${row.event_id} waited in vain, though it says itself that nobody is known to have paid`);
		if (mail.says.kind === 'sale') checkPaid(sim, mail, row, claimsOf(sim, mail, row, mails, rowOf));
	}
	for (const purchase of sim.account.purchases()) {
		const own = mails.filter((mail) => mail.purchase === purchase && mail.program === purchase.payer.program);
		const arrived = own.flatMap((mail): Arrived[] => {
			const row = rowOf(mail);
			return row ? [{ mail, row }] : [];
		});
		const isRefused = arrived.some(({ mail, row }) => isOfErased(sim, row, mail));
		if (arrived.length === own.length && !isRefused) checkPurchase(sim, purchase, arrived);
	}
}

/** Whether it is the checkout of a payment that nothing names anybody for: nothing that comes will. */
function isOfNobody({ event, says, purchase }: Mail): boolean {
	return event.type === 'checkout.session.completed' && says.kind === 'sale' && purchase.payer.claims.length === 0;
}

/** Whether an event was refused as its customer was erased, or nobody can be known to have paid, as they were. */
function isOfErased(sim: Simulation, { state, reason }: InboxRow, { program, claims, purchase }: Mail): boolean {
	if (!isAnyErased(sim, program.id)) return false;
	if (state === 'refused' && reason?.includes('its customer was erased')) return true;
	const gone = sim.erased.idsIn(sim.rows);
	const { payer } = purchase;
	const told = [claims, ...payer.claims].flatMap((said) => [said?.customerKey, said?.clickId]);
	const subscription = payer.subscription?.id;
	const erased = new Set(sim.rows.customers.filter(({ erased_at }) => erased_at !== null).map(({ id }) => id));
	const isTheirs = sim.rows.sales.some((sale) => sale.subscription_id === subscription && erased.has(sale.customer_id ?? 0));
	return told.some((id) => id !== undefined && gone.has(nameOf(program.id, id))) || (subscription !== undefined && isTheirs);
}

interface Arrived {
	readonly mail: Mail;
	readonly row: InboxRow;
}

/** What was paid by somebody who was known when it was told is a sale. */
function checkPaid(sim: Simulation, mail: Mail, row: InboxRow, claims: Claims | undefined): void {
	const { purchase, program } = mail;
	const sale = saleOf(sim, purchase, program.id, row.is_test);
	if (row.state === 'applied' && !sale) throw violated(NAME, `event ${row.event_id} is applied, and there is no sale`);
	if (row.state === 'applied' || isForeign(mail)) return;
	// One that names a click which leads nowhere has had its say; so has one whose own id another program's sale has used.
	const hadItsSay = mail.claims?.clickId !== undefined || isElsewhere(sim, purchase, program.id);
	// Of two events whose wait is over the first leaves word that the payment is nobody's, and the second goes by that.
	const hasWaited = row.settled_at !== null && row.settled_at >= row.expires_at;
	const isExcused = hadItsSay || isUntied(sim, mail, sale) || isByLateClick(sim, mail, claims);
	if (sale && row.state !== 'expired' && !(row.state === 'ignored' && hasWaited) && !isExcused)
		throw violated(NAME, `event ${row.event_id} of sale ${sale.id} is ${row.state}: ${row.reason}`);
	if (row.is_test === 1) {
		if (!sale && mail.claims && (mail.claims.customerKey ?? mail.claims.clickId) !== undefined && !isElsewhere(sim, purchase, program.id))
			throw violated(NAME, `test event ${row.event_id} is ${row.state}: ${row.reason}`);
		return;
	}
	if (isAttributable(sim, mail, row, claims) && !isElsewhere(sim, purchase, program.id))
		throw violated(NAME, `event ${row.event_id} is ${row.state} (${row.reason}), though its payer is known`);
}

/**
 * What an event says of who paid. Where it says nothing, what the event says that tells of it, before its time was over; else of a
 * renewal who bought first, where the program lets it follow.
 */
function claimsOf(
	sim: Simulation,
	mail: Mail,
	row: InboxRow,
	mails: readonly Mail[],
	rowOf: (mail: Mail) => InboxRow | undefined,
): Claims | undefined {
	const { payer, isRenewal } = mail.purchase;
	if (mail.claims) return mail.claims;
	const isTeller = ({ purchase, program, event }: Mail) =>
		purchase.payer === payer && program === mail.program && event.type === mail.reportedBy;
	const other = mails.find(isTeller);
	const told = other && !isForeign(other) ? rowOf(other) : undefined;
	// A checkout that is not paid yet is ignored, and has told all the same.
	const isTold = told?.state === 'applied' || (other?.says.kind === 'nothing' && told?.state === 'ignored');
	// What was settled as nobody's goes on listening.
	const until = row.state === 'ignored' ? row.expires_at : (row.settled_at ?? 0);
	if (isTold && (told?.settled_at ?? 0) < until) return other?.claims;
	return isRenewal && mail.program.renewalsFollowCheckout ? firstBuyer(sim, mail, row) : undefined;
}

function firstBuyer(sim: Simulation, { purchase, program }: Mail, row: InboxRow): Claims | undefined {
	const subscription = purchase.payer.subscription?.id;
	const [first] = sim.rows.sales.filter(({ subscription_id, program_id, is_test }) => {
		return subscription_id === subscription && program_id === program.id && is_test === 0;
	});
	if (!first || first.created_at >= (row.settled_at ?? 0)) return undefined;
	const buyer = sim.rows.customers.find(({ id }) => id === first.customer_id);
	return { customerKey: buyer?.customer_key ?? undefined, clickId: buyer?.click_id ?? undefined, programId: undefined };
}

/** Whether the click by which the payer came is later than what they paid, or than the beginning of what they pay for. */
function isByLateClick(sim: Simulation, mail: Mail, claims: Claims | undefined): boolean {
	const { program, purchase } = mail;
	const customer = sim.rows.customers.find(
		({ program_id, customer_key }) => program_id === program.id && customer_key !== null && customer_key === claims?.customerKey,
	);
	const clickedAt = customer?.clicked_at ?? sim.issuedClicks.get(claims?.clickId ?? '')?.clickedAt;
	const moments = [mail.paidAt, purchase.payer.subscription?.beganAt].filter((moment) => moment !== undefined);
	return clickedAt !== undefined && moments.some((moment) => isTooLate(clickedAt, moment));
}

function isAttributable(sim: Simulation, mail: Mail, row: InboxRow, claims: Claims | undefined): boolean {
	if (!claims || isByLateClick(sim, mail, claims)) return false;
	const { program } = mail;
	const { customerKey, clickId } = claims;
	const since = attributed.get(sim)?.get(`${program.id} ${customerKey}`);
	const customer = sim.rows.customers.find(({ program_id, customer_key }) => program_id === program.id && customer_key === customerKey);
	if (customerKey !== undefined && customer) return since !== undefined && since < row.received_at;
	const visit = clickId === undefined ? undefined : sim.issuedClicks.get(clickId);
	const link = visit && WORLD.links.find(({ id }) => id === visit.linkId);
	return visit?.isTest === false && link?.programId === program.id && visit.clickedAt < row.received_at;
}

/** Whether one of its ids is that of another program's sale; order numbers never are. */
function isElsewhere(sim: Simulation, { ids, payer }: Purchase, programId: number): boolean {
	if (payer.processor === 'custom') return false;
	return ids.some((id) => {
		const sale = countingSale(sim.rows, id, payer.isTest ? 1 : 0, programId);
		return sale !== undefined && sale.program_id !== programId;
	});
}

/** Whether only the backend reported the sale, and the event that ties its id to the others names another program, so it is refused. */
function isUntied(sim: Simulation, { purchase }: Mail, sale: SaleRow | undefined): boolean {
	if (sale === undefined || sim.rows.inbox.some(({ sale_id }) => sale_id === sale.id)) return false;
	return sim.account.mails().some((other) => other.purchase === purchase && isForeign(other));
}

function saleOf(sim: Simulation, { ids }: Purchase, programId: number, isTest: number): SaleRow | undefined {
	const found = ids.map((id) => countingSale(sim.rows, id, isTest, programId));
	return found.find((sale) => sale?.program_id === programId);
}

/** Whether an event that did something else gave up on a sale by its ids, its time being over. */
function gaveUpIds({ state, sale_id, settled_at, expires_at }: InboxRow): boolean {
	return state === 'applied' && sale_id === null && settled_at !== null && settled_at >= expires_at;
}

/** Where all that was told of a payment has come: one sale, to which all of it leads, and what was given back is known of it. */
function checkPurchase(sim: Simulation, purchase: Purchase, arrived: readonly Arrived[]): void {
	const { program, isTest } = purchase.payer;
	const sale = saleOf(sim, purchase, program.id, isTest ? 1 : 0);
	const isPaid = arrived.some(({ mail }) => mail.says.kind === 'sale');
	if (!sale || !isPaid || isTest || isElsewhere(sim, purchase, program.id)) return;
	const tied = arrived.filter(({ mail, row }) => mail.says.kind !== 'reversal' && row.state === 'applied');
	const lastly = Math.max(sale.created_at, ...arrived.map(({ row }) => row.received_at), ...tied.map(({ row }) => row.settled_at ?? 0));
	const idle = arrived.filter(({ mail, row }) => mail.says.kind !== 'nothing' && row.state !== 'applied');
	// Where one that ties ids together was refused, or gave up before the others came, they may not lead to the sale.
	if (idle.some(({ mail }) => isForeign(mail))) return;
	if (idle.some(({ mail, row }) => mail.says.kind !== 'reversal' && (row.settled_at ?? 0) <= lastly)) return;
	if (arrived.some(({ row }) => gaveUpIds(row) && (row.settled_at ?? 0) <= lastly)) return;
	const late = idle.find(({ row }) => (row.settled_at ?? 0) > lastly);
	if (late) throw violated(NAME, `event ${late.row.event_id} is ${late.row.state}: ${late.row.reason}; its sale is ${sale.id}`);
	const counting = new Set(purchase.ids.map((id) => countingSale(sim.rows, id, 0, program.id)?.id).filter((id) => id !== undefined));
	if (counting.size > 1 && arrived.every(({ row }) => row.state === 'applied'))
		throw violated(NAME, `the payment of sale ${sale.id} is the sales ${[...counting].join()}`);
	checkTold(sim, sale, arrived);
	if (arrived.every(({ mail, row }) => mail.says.kind === 'nothing' || row.state === 'applied')) checkGivenBack(sim, purchase, sale);
}

/** What is refunded of a sale is its share of what was given back, whichever processor told it, in whatever events and order. */
function checkGivenBack(sim: Simulation, { payer, refunds, dispute, chargedCents }: Purchase, sale: SaleRow): void {
	// The backend may have reported the payment as another amount, and refunds of its own.
	if (sale.charged_cents !== chargedCents || sale.reported_refund_cents > 0) return;
	sim.count(`${payer.processor}: all of a payment came`);
	const held = dispute.state === 'open' || dispute.state === 'lost' ? dispute.cents : 0;
	const standing = refunds.reduce((sum, { cents, hasFailed }) => (hasFailed ? sum : sum + cents), held);
	const due = halfUp(sale.amount_cents, Math.min(standing, chargedCents), chargedCents);
	if (sale.refunded_cents !== due)
		throw violated(NAME, `of sale ${sale.id} of ${sale.amount_cents} is ${sale.refunded_cents} refunded; given back is ${due}`);
}

/** What is kept of reversals is what the applied events say, no more and no less. */
function checkTold(sim: Simulation, sale: SaleRow, arrived: readonly Arrived[]): void {
	const due = new Map<string, boolean>();
	for (const { mail, row } of arrived) {
		if (mail.says.kind !== 'reversal' || row.state !== 'applied') continue;
		for (const { kind, id, amountCents, isUndone } of mail.says.reversals) {
			const name = `${kind} ${id} ${amountCents}`;
			due.set(name, isUndone || due.get(name) === true);
		}
	}
	const kept = sim.rows.told.filter(({ sale_id }) => sale_id === sale.id);
	const told = kept.map((row) => `${row.kind} ${row.reversal_id} ${row.amount_cents} ${row.undone_at !== null}`).toSorted();
	const said = [...due].map(([name, isUndone]) => `${name} ${isUndone}`).toSorted();
	const foreign = told.filter((name) => !said.includes(name));
	const missing = said.filter((name) => !told.includes(name));
	if (missing.length > 0 || foreign.length > 0)
		throw violated(NAME, `of sale ${sale.id} is not kept: ${missing.join()}; is kept without being told: ${foreign.join()}`);
}
