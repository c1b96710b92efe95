import { acceptInvitation } from '../../src/accounts/accept-invitation.ts';
import { findPartnerMembership, requireMembershipOf } from '../../src/accounts/partner-membership.ts';
import type { Context } from '../../src/context.ts';
import type { PartnerFigures } from '../../src/domain/reporting/partner-performance.ts';
import { toMajorUnits } from '../../src/domain/money.ts';
import { listOwnCommissions } from '../../src/commissions/own-commission.ts';
import { listOwnPayouts } from '../../src/payouts/own-payout.ts';
import { readOverview } from '../../src/partner-programs/read-overview.ts';
import { endMembership } from '../../src/partners/end-membership.ts';
import { type InvitedPartner, invitePartner } from '../../src/partners/invite-partner.ts';
import { readPartnerPerformance } from '../../src/reporting/read-partner-performance.ts';
import type { Random } from '../../testing/random.ts';
import type { Shown } from '../world/journal.ts';
import { rowName, figureName } from '../world/oracle-of-reports.ts';
import type { Simulation } from '../world/simulation.ts';
import { type Membership, PARTNER_PEOPLE, sessionOfUser, WORLD } from '../world/world.ts';
import { aProgram, insist, managed, type Operation } from './operation.ts';

// Partners accept invitations and read their own data while it changes.

export const acceptance: Operation = { kind: 'acceptance', weight: 3, races: true, run: acceptOne };
export const portal: Operation = { kind: 'portal', weight: 6, races: true, run: look };

const PAGE = { cursor: undefined, limit: 200 };

/** Accepts with a new or an old link, as one person or as both at once. */
async function acceptOne(sim: Simulation, random: Random): Promise<void> {
	if (sim.journal.answered('invite').length === 0 || random.chance(0.4)) await inviteOne(sim, random);
	const made = sim.journal.answered('invite').map(({ receipt }) => receipt);
	const link = random.chance(0.7) ? made.at(-1) : made[random.below(Math.max(made.length, 1))];
	if (!link) return;
	const people = random.chance(0.5) ? PARTNER_PEOPLE : [random.pick(PARTNER_PEOPLE)];
	await Promise.all(people.map((userId) => insist(random, () => accept(sim, link, userId))));
}

function accept(sim: Simulation, { partnerId, token }: InvitedPartner, userId: number) {
	const actor = { userId, email: `user${userId}@example.com`, name: `User ${userId}`, address: null };
	return sim.request('accept', { partnerId, userId }, (ctx) => acceptInvitation(ctx, actor, token));
}

async function inviteOne(sim: Simulation, random: Random): Promise<void> {
	const program = aProgram(random);
	const { partnerId } = random.pick(WORLD.memberships.filter(({ programId }) => programId === program.id));
	await insist(random, () => sim.request('invite', { program, partnerId }, (ctx) => invitePartner(ctx, managed(program), partnerId)));
}

/** Usually one of their memberships with commissions; sometimes one that has just ended. */
async function look(sim: Simulation, random: Random): Promise<void> {
	const { partners, commissions } = sim.rows;
	const personOf = ({ partnerId }: Membership) => partners.find(({ id }) => id === partnerId)?.user_id ?? undefined;
	const theirs = WORLD.memberships.filter((one) => personOf(one) !== undefined);
	const busy = theirs.filter(({ id }) => commissions.some(({ partner_program_id }) => partner_program_id === id));
	const membership = random.pick(
		random.chance(0.1) ? WORLD.memberships : ([busy, theirs].find((some) => some.length > 0) ?? WORLD.memberships),
	);
	const userId = random.chance(0.1) ? random.pick(PARTNER_PEOPLE) : (personOf(membership) ?? random.pick(PARTNER_PEOPLE));
	const ends = random.chance(0.1) && sim.theme.times['partner'] !== 0;
	const params: Shown['params'] = {
		membership,
		userId,
		what: ends ? 'performance' : random.pick(['balances', 'commissions', 'payouts', 'performance'] as const),
		period: random.pick(['7d', '30d', 'all'] as const),
	};
	if (ends) await leave(sim, random, membership);
	await insist(random, () => sim.request('portal', params, (ctx) => show(ctx, params)));
}

async function leave(sim: Simulation, random: Random, { programId, partnerId }: Membership): Promise<void> {
	const program = WORLD.programs.find(({ id }) => id === programId);
	if (!program) return;
	const params = { program, partnerId, change: 'ended' };
	await insist(random, () => sim.request('partner', params, (ctx) => endMembership(ctx, managed(program), partnerId)));
}

async function show(ctx: Context, { membership: { id }, userId, what, period }: Shown['params']): Promise<readonly string[]> {
	const membership = requireMembershipOf(await findPartnerMembership(ctx, sessionOfUser(userId), null, id), 'ended');
	if (what === 'balances') {
		const balances = Object.entries((await readOverview(ctx, membership)).balances);
		return balances.map(
			([currency, { availableCents, pendingCents, debtCents }]) => `${id} ${currency}: ${availableCents} ${pendingCents} ${debtCents}`,
		);
	}
	if (what === 'commissions') {
		const { rows } = await listOwnCommissions(ctx, membership, PAGE);
		return rows.map((row) => `${row.id} ${row.status} ${row.amountCents} - ${row.deductedCents} ${row.currency} ${row.payoutId}`);
	}
	if (what === 'payouts') {
		const { rows } = await listOwnPayouts(ctx, membership, PAGE);
		return rows.map((row) => `${row.id} ${row.amountCents} + ${row.recoveredCents} ${row.currency} of ${row.commissionCount}`);
	}
	const { links, shortLinks } = await readPartnerPerformance(ctx, membership, { period, dates: undefined });
	return [...links].flatMap(([linkId, figures]) =>
		figuresOf(rowName(linkId, shortLinks.get(linkId) ?? null), figures, membership.program.currency),
	);
}

/** Named like a report's figures, in major units, omitting zeros. */
function figuresOf(of: string, { clicks, leads, conversions, sales, others, ...own }: PartnerFigures, currency: string): string[] {
	const foreign = Object.entries(others);
	const ownSales = foreign.reduce((left, [, amounts]) => left - amounts.sales, sales);
	const counts = Object.entries({ clicks, leads, conversions }).map(([figure, count]): [string, number] => [
		figureName(of, 'own', figure),
		count,
	]);
	const amounts = [
		['own', currency, { ...own, sales: ownSales }] as const,
		...foreign.map(([code, its]) => [code, code, its] as const),
	].flatMap(([name, code, { sales: count, revenueCents, refundedCents, commissionCents, deductedCents }]): [string, number][] => [
		[figureName(of, name, 'sales'), count],
		[figureName(of, name, 'revenue'), toMajorUnits(revenueCents, code)],
		[figureName(of, name, 'net_revenue'), toMajorUnits(revenueCents - refundedCents, code)],
		[figureName(of, name, 'commission'), toMajorUnits(commissionCents, code)],
		[figureName(of, name, 'net_commission'), toMajorUnits(commissionCents - deductedCents, code)],
	]);
	return [...counts, ...amounts].filter(([, figure]) => figure !== 0).map(([name, figure]) => `${name} ${figure}`);
}
