import type { Request, Shown } from '../world/journal.ts';
import { dayIn } from '../world/oracle.ts';
import { daysOf, expectedBreakdown, rowName } from '../world/oracle-of-reports.ts';
import type { Rows } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { WORLD } from '../world/world.ts';
import { type Invariant, violated } from './invariant.ts';
import { expectedBalances } from './payouts.ts';

/** Every successful response names the partner's user. */
export const persons: Invariant = { name: 'a partner has one user, the first who accepted', onAnswers: true, check: checkPersons };

/** Compared with the rows at the time of reading. */
export const shown: Invariant = { name: 'a partner sees exactly their own rows', onAnswers: true, check: checkShown };

function checkPersons(sim: Simulation): void {
	const partners = sim.rows.partners.filter(({ email }) => !email.endsWith('@erased.invalid'));
	const now = new Map(partners.map(({ id, user_id }) => [id, user_id]));
	for (const { id, user_id } of sim.before.partners) {
		if (user_id !== null && now.has(id) && now.get(id) !== user_id)
			throw violated(persons.name, `partner ${id} belonged to user ${user_id} and now to ${now.get(id)}`);
	}
	for (const { request } of sim.journal.answered('accept')) {
		const { partnerId, userId } = request.params;
		if (now.has(partnerId) && now.get(partnerId) !== userId)
			throw violated(persons.name, `user ${userId} was accepted as partner ${partnerId}, who belongs to ${now.get(partnerId)}`);
	}
}

function checkShown(sim: Simulation): void {
	for (const request of sim.journal.requests.slice(sim.firstOfStep)) if (isPortal(request)) checkOne(sim, request);
}

function isPortal(request: Request): request is Request<'portal'> {
	return request.kind === 'portal';
}

function checkOne(sim: Simulation, { id, answer, sawFirst, saw, now, params }: Request<'portal'>): void {
	if (!sawFirst || !saw || !answer) return;
	const { membership, userId, what } = params;
	const isTheirsIn = ({ partners }: Rows) => partners.some((partner) => partner.id === membership.partnerId && partner.user_id === userId);
	const by = `request ${id} of user ${userId} for the ${what} of membership ${membership.id}`;
	if (answer.state === 'rejected' && isTheirsIn(saw)) throw violated(shown.name, `${by} was refused: ${answer.rejection.message}`);
	if (answer.state !== 'answered') return;
	// Access is checked first, so an erasure may happen in between.
	if (!isTheirsIn(sawFirst)) throw violated(shown.name, `${by} was answered, although it is not theirs`);
	const [shownRows, due] = [answer.receipt.toSorted().join(', '), expectedOf(saw, params, now).toSorted().join(', ')];
	if (shownRows !== due) throw violated(shown.name, `${by} got ${shownRows || 'nothing'}, should be ${due || 'nothing'}`);
	if (shownRows !== '') sim.count(`partner saw ${what}`);
}

function expectedOf(rows: Rows, { membership, what, period }: Shown['params'], now: number): string[] {
	const isOwn = (row: { readonly partner_program_id: number }) => row.partner_program_id === membership.id;
	if (what === 'balances') {
		const balances = [...expectedBalances(rows, membership.programId, now)];
		return balances.filter(([account]) => account.startsWith(`${membership.id} `)).map(([account, balance]) => `${account}: ${balance}`);
	}
	if (what === 'commissions') {
		return rows.commissions
			.filter(isOwn)
			.map((row) => `${row.id} ${row.status} ${row.amount_cents} - ${row.deducted_cents} ${row.currency} ${row.payout_id}`);
	}
	if (what === 'payouts') {
		const countOf = (payoutId: number) => rows.commissions.filter(({ payout_id }) => payout_id === payoutId).length;
		return rows.payouts
			.filter(isOwn)
			.map((row) => `${row.id} ${row.amount_cents} + ${row.recovered_cents} ${row.currency} of ${countOf(row.id)}`);
	}
	const program = rows.programs.find(({ id }) => id === membership.programId);
	if (!program) return [];
	const days = daysOf(period, dayIn(program.time_zone, now), dayIn(program.time_zone, program.created_at));
	const links = WORLD.links.filter(({ partnerProgramId }) => partnerProgramId === membership.id);
	const names = links.map(({ id, shortLink }) => `${rowName(id, shortLink)} `);
	return [...expectedBreakdown(rows, program, days, 'link').figures]
		.filter(([figure, amount]) => amount !== 0 && names.some((name) => figure.startsWith(name)))
		.map(([figure, amount]) => `${figure} ${amount}`);
}
