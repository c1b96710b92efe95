import { nameOf } from '../world/erased.ts';
import type { Request } from '../world/journal.ts';
import type { Rows } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { WORLD } from '../world/world.ts';
import { byId, type Invariant, violated } from './invariant.ts';

export const decidedOnce: Invariant = { name: 'an application is decided once, for its applicant', onAnswers: true, check: checkDecided };
export const applied: Invariant = { name: 'an applicant waits, is a partner or was declined', onAnswers: true, check: checkApplied };
export const partnersGone: Invariant = { name: 'nothing identifies an erased partner', onAnswers: true, check: checkGone };

function checkDecided({ rows, before, journal, firstOfStep }: Simulation): void {
	const now = byId(rows.applications);
	for (const { id, status, partner_id } of before.applications) {
		const row = now.get(id);
		if (row && status !== 'open' && (row.status !== status || row.partner_id !== partner_id))
			throw violated(decidedOnce.name, `application ${id} was ${status} and is now ${row.status}`);
	}
	const partners = byId(rows.partners);
	for (const { id, program_id, email, status, partner_id } of rows.applications) {
		if (status !== 'approved') continue;
		const joined = rows.memberships.some((row) => row.partner_id === partner_id && row.program_id === program_id);
		const address = partners.get(partner_id ?? 0)?.email;
		if (!joined || (address !== email && !isErased(email)))
			throw violated(decidedOnce.name, `application ${id} of ${email} made partner ${partner_id} with ${address}`);
	}
	for (const request of journal.requests.slice(firstOfStep)) {
		const wanted = request.kind === 'takeIn' ? 'approved' : request.kind === 'decline' ? 'declined' : undefined;
		if (wanted === undefined || request.answer?.state !== 'answered' || !('ids' in request.params)) continue;
		const other = request.params.ids.find((id) => now.get(id)?.status !== wanted);
		if (other !== undefined)
			throw violated(decidedOnce.name, `application ${other} was answered as ${wanted}, but is ${now.get(other)?.status}`);
	}
	const approvals = rows.audits.filter(({ action }) => action === 'application.approve').length;
	const approved = rows.applications.filter(({ status }) => status === 'approved').length;
	if (approvals !== approved)
		throw violated(decidedOnce.name, `${approved} applications are approved, but ${approvals} approvals are audited`);
}

function checkApplied(sim: Simulation): void {
	const open = sim.rows.applications.filter(({ status }) => status === 'open').map(({ program_id, email }) => nameOf(program_id, email));
	if (new Set(open).size !== open.length) throw violated(applied.name, 'an applicant waits twice');
	const own = sim.journal.requests.slice(sim.firstOfStep);
	if (own.some(({ kind }) => kind === 'erasePartner')) return;
	for (const { id, params, answer } of own.filter(isApply)) {
		if (answer?.state !== 'answered') continue;
		const { program, email } = params;
		const isKnown = [sim.before, sim.rows].some((rows) => hasApplied(rows, program.id, email) || isPartner(rows, program, email));
		if (!isKnown) throw violated(applied.name, `request ${id} of ${email} is not stored`);
		sim.count('application looked for');
	}
}

function isApply(request: Request): request is Request<'apply'> {
	return request.kind === 'apply';
}

function hasApplied({ applications }: Rows, programId: number, email: string): boolean {
	return applications.some((row) => row.program_id === programId && row.email === email);
}

function isPartner({ partners, memberships }: Rows, { id, workspaceId }: Request<'apply'>['params']['program'], email: string): boolean {
	const own = partners.find((row) => row.workspace_id === workspaceId && row.email === email);
	return memberships.some((row) => row.partner_id === own?.id && row.program_id === id && row.status !== 'ended');
}

/** Only if nothing else ran in the step, because the person may apply again at the same time. */
function checkGone(sim: Simulation): void {
	const own = sim.journal.requests.slice(sim.firstOfStep);
	const request = own.at(-1);
	if (!request || !isErase(request) || own.some(({ kind }) => kind !== 'erasePartner' && kind !== 'partner')) return;
	const { partnerId, program } = request.params;
	const email = sim.before.partners.find(({ id }) => id === partnerId)?.email ?? '';
	if (request.answer?.state !== 'answered' || isErased(email)) return;
	sim.count('partner erased');
	const goesOn = sim.rows.memberships.some((row) => row.partner_id === partnerId && row.status !== 'ended');
	if (goesOn) throw violated(partnersGone.name, `partner ${partnerId} was erased with an active membership`);
	const programIds = WORLD.programs.filter(({ workspaceId }) => workspaceId === program.workspaceId).map(({ id }) => id);
	const applications = sim.rows.applications.filter((row) => programIds.includes(row.program_id));
	const left = applications.find((row) => `${row.email} ${row.name} ${row.message}`.includes(email));
	if (left) throw violated(partnersGone.name, `application ${left.id} contains ${email}`);
	if (sim.rows.partners.some((row) => row.workspace_id === program.workspaceId && row.email === email))
		throw violated(partnersGone.name, `partner ${partnerId} still has ${email}`);
}

function isErase(request: Request): request is Request<'erasePartner'> {
	return request.kind === 'erasePartner';
}

function isErased(email: string): boolean {
	return email.endsWith('@erased.invalid');
}
