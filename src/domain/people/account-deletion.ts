/** What happens to stored data of a person who deletes their account, as they read it. */
export const DELETED = [
	'Your name, e-mail address and password. Where they stood, nothing tells who you were.',
	'Your sessions, links to reset the password, mail preferences and letters that were on their way.',
	'Your memberships of workspaces, and the open invitations that you made or got.',
	'Where you are a partner: your name and address there, your applications and your payout details. Your memberships of programs have ended: your links bring you nothing any more, and nobody signs in as that partner.',
] as const;

export const KEPT = [
	{
		what: 'Commissions, payouts, balances and the ledger, under a number without a name.',
		why: 'The advertiser has to keep books. What you had earned and were not paid is between you and them.',
	},
	{
		what: 'The audit log: what was done, when and from which network address, under a number without a name.',
		why: 'Workspaces have to be able to tell what happened to their money and settings.',
	},
	{
		what: 'The names of links that you spread, and that terms were accepted and when.',
		why: 'A link is never given to somebody else, and clicks by it stay what they were.',
	},
	{
		what: 'What workspaces noted of you by themselves: as a partner who never accepted, by an application made without signing in, or as a customer.',
		why: 'That is theirs, and nobody has shown that the address is yours: ask them to erase it.',
	},
	{ what: 'Backups of the platform, for up to 30 days.', why: 'They cannot be changed.' },
] as const;
