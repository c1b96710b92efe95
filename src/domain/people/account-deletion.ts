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
		why: 'The advertiser must keep accounts. Contact them about earnings that they have not paid you.',
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
