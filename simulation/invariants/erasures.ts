import type { Request } from '../world/journal.ts';
import { nameOf } from '../world/erased.ts';
import type { CustomerRow, Rows } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { byId, type Invariant, violated } from './invariant.ts';
import { hashOf } from './leads.ts';

export const persons: Invariant = { name: 'an erase covers one person completely, and nobody else', onAnswers: true, check: checkPersons };
export const gone: Invariant = { name: 'an erased id belongs to nobody', onAnswers: true, check: checkGone };
export const storedOnce: Invariant = { name: 'a click is stored once, erased or not', reads: ['clicks'], check: checkStoredOnce };
export const unmoved: Invariant = { name: 'an erase changes no figure', check: checkUnmoved };

/** Empty if another request may have changed rows in this step. */
function erasesAlone(sim: Simulation): Request<'erase'>[] {
	const own = sim.journal.requests.slice(sim.firstOfStep);
	const erases = own.filter((request): request is Request<'erase'> => request.kind === 'erase');
	return erases.length === own.length ? erases : [];
}

function checkPersons(sim: Simulation): void {
	const own = erasesAlone(sim);
	const before = byId(sim.before.customers);
	const erased = sim.rows.customers.filter(({ id, erased_at }) => erased_at !== null && before.get(id)?.erased_at === null);
	if (own.length === 0) {
		const isAsked = sim.journal.requests.slice(sim.firstOfStep).some(({ kind }) => kind === 'erase');
		if (erased.length > 0 && !isAsked) throw violated(persons.name, `customer ${erased[0]?.id} was erased without a request`);
		return;
	}
	const due = new Set<number>();
	for (const { params, answer, faults } of own) {
		const person = personIn(sim, params).filter(({ erased_at }) => erased_at === null);
		for (const { id } of person) due.add(id);
		const left = person.find(({ id }) => !erased.some((row) => row.id === id));
		if (answer?.state === 'answered' && left) throw violated(persons.name, `erase ${textOf(params.person)} left customer ${left.id}`);
		if (own.length > 1 || faults > 0) continue;
		if (answer?.state === 'rejected' && left) throw violated(persons.name, `erase ${textOf(params.person)} found nobody`);
		if (answer?.state === 'answered' && answer.receipt.counts.customers !== person.length)
			throw violated(
				persons.name,
				`erase ${textOf(params.person)} reported ${answer.receipt.counts.customers} of ${person.length} customers`,
			);
	}
	const other = erased.find(({ id }) => !due.has(id));
	if (other) throw violated(persons.name, `customer ${other.id} was erased with ${own.map(({ params }) => textOf(params.person)).join()}`);
}

/** The customers with this id, then those with the same email address, then those without a key but with the same click, as stored. */
function personIn(sim: Simulation, { program, person: { by, id } }: Request<'erase'>['params']): CustomerRow[] {
	const own = sim.before.customers.map((row) => sim.erased.asStored(row)).filter(({ program_id }) => program_id === program.id);
	const isNamed = (row: CustomerRow) =>
		by === 'customerId'
			? row.id === id
			: by === 'customerKey'
				? row.customer_key === id
				: by === 'clickId'
					? row.click_id === id && row.click_sequence === 0
					: row.email_hash === hashOf(id) || row.email === id;
	const found = new Set(own.filter(isNamed));
	for (let size = -1; size !== found.size;) {
		size = found.size;
		const [addresses, clicks] = [new Set([...found].map((row) => row.email_hash)), new Set([...found].map((row) => row.click_id))];
		for (const row of own) {
			const isSameAddress = row.email_hash !== null && addresses.has(row.email_hash);
			if (isSameAddress || (row.customer_key === null && clicks.has(row.click_id))) found.add(row);
		}
	}
	return own.filter((row) => found.has(row));
}

function checkGone(sim: Simulation): void {
	const ids = sim.erased.idsIn(sim.before);
	if (ids.size === 0) return;
	for (const request of sim.journal.requests.slice(sim.firstOfStep)) {
		const sent = idsSentBy(request);
		if (sent === undefined || request.answer?.state !== 'answered') continue;
		const { program, customerKey, clickId } = sent;
		const isOfErased = customerKey === undefined ? ids.has(nameOf(program, clickId ?? '')) : ids.has(nameOf(program, customerKey));
		if (isOfErased) throw violated(gone.name, `request ${request.id} (${request.kind}) of ${customerKey ?? clickId} was answered`);
		sim.count('call after an erase');
	}
	for (const row of sim.rows.customers) {
		const { id, program_id, customer_key, click_id } = sim.erased.asStored(row);
		const back = [customer_key, click_id].find((name) => name !== null && ids.has(nameOf(program_id, name)));
		if (back !== undefined) throw violated(gone.name, `customer ${id} has the erased id ${back}`);
	}
}

function idsSentBy({ kind, params }: Request) {
	if (kind === 'lead' && 'lead' in params) return { ...params.lead, program: params.program.id };
	if (kind === 'sale' && 'sale' in params) return { ...params.sale, program: params.program.id };
	return undefined;
}

/** Otherwise reports would count a click twice. */
function checkStoredOnce({ rows }: Simulation): void {
	const known = new Set<string>();
	for (const { click_id } of rows.clicks) {
		if (known.has(click_id)) throw violated(storedOnce.name, `${click_id} is stored twice`);
		known.add(click_id);
	}
}

const FIGURES = [
	'sales',
	'aliases',
	'reportedReversals',
	'refunds',
	'commissions',
	'entries',
	'balances',
	'payouts',
	'outbox',
	'notifications',
	'clicks',
	'retiredDays',
	'daily',
	'breakdown',
	'leads',
] as const satisfies readonly (keyof Rows)[];

function checkUnmoved(sim: Simulation): void {
	if (erasesAlone(sim).length === 0) return;
	const changed = FIGURES.find((name) => sim.rows[name] !== sim.before[name] && textOf(sim.rows[name]) !== textOf(sim.before[name]));
	if (changed !== undefined) throw violated(unmoved.name, `an erase changed ${changed}`);
}

function textOf(value: unknown): string {
	return JSON.stringify(value);
}
