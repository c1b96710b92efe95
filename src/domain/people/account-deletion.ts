import { moneyText } from '../money.ts';
import { Rejection } from '../rejection.ts';

/** Shown before a person deletes their account. */
export const DELETED = [
	'Your name, email address and password. Nothing that remains shows who you were.',
	'Your sessions, password reset links, email preferences and unsent emails.',
	'Your workspace memberships, and the open invitations that you sent or received.',
	'If you are a partner: your name and address there, your applications and your payout details. Your program memberships end. Your links no longer earn anything, and nobody can sign in as that partner.',
] as const;

export const KEPT = [
	{
		what: 'Commissions, payouts, balances and the ledger, under a number without a name.',
		why: 'The advertiser must keep accounts. You give up what they have not paid you yet.',
	},
	{
		what: 'The audit log: what was done, when and from which network address, under a number without a name.',
		why: 'Workspaces must be able to see what happened to their money and settings.',
	},
	{
		what: 'The names of the links that you shared, and when you accepted terms.',
		why: 'A link is never reused for someone else, and its clicks stay recorded.',
	},
	{
		what: 'What workspaces recorded about you on their own: as a partner who never accepted an invitation, as an applicant who was not signed in, or as a customer.',
		why: 'It belongs to them, and nobody has proved that the address is yours. Ask them to erase it.',
	},
	{ what: 'Backups of the platform, for up to 30 days.', why: 'They cannot be changed.' },
] as const;

/** What a program owes the person and would no longer pay, in one currency. */
export interface OwedEarnings {
	readonly program: { readonly id: number; readonly name: string };
	readonly currency: string;
	/** On hold or available, less debts. */
	readonly unpaidCents: number;
	/** In payouts that were made but not sent. */
	readonly onItsWayCents: number;
}

/** Rejects with 409 and the sums, unless nothing is owed or the person gives it up (decision 73). */
export function requireGivenUp(owed: readonly OwedEarnings[], givesUp: boolean): void {
	if (givesUp || owed.length === 0) return;
	const amounts = owed.map((of) => `${moneyText(owedCentsOf(of), of.currency)} of ${of.program.name}`).join(', ');
	throw new Rejection('earnings_owed', { amounts }, { owed: owed.map(owedOnWire) });
}

export function owedCentsOf({ unpaidCents, onItsWayCents }: Pick<OwedEarnings, 'unpaidCents' | 'onItsWayCents'>): number {
	return unpaidCents + onItsWayCents;
}

function owedOnWire({ program, currency, unpaidCents, onItsWayCents }: OwedEarnings) {
	return { program, currency, unpaid_cents: unpaidCents, on_its_way_cents: onItsWayCents };
}
