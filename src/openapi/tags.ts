/** The chapters of the document in order. */
export const TAGS = {
	Tracking:
		'What an integration reports: clicks, leads, sales and refunds. Clicks and leads may come from a page of a listed origin; sales and refunds come from a backend with the program key.',
	'Links and script': 'Where the links of partners lead, and the script for the pages that they lead to.',
	Reports: 'What came of it: figures day by day, and every single event.',
	Integration:
		'Whether an integration is sound, for backends and command lines with the program key, and for members; and what was refused.',
	Accounts: 'Sign-up, sign-in, sessions and passwords of people, and what happened to their accounts.',
	Workspaces: 'Workspaces, their members with roles, invitations, and who did what.',
	Programs: 'Programs and their keys.',
	Partners: 'Partners of a program, their referral links, and groups of them.',
	Applications: 'The public page of a program, and who applies to be its partner.',
	'Commission rules': 'What a sale earns.',
	Commissions: 'What was earned, and what becomes of it.',
	Payouts: 'What is paid, by files for batch payments too, and where partners are paid.',
	Customers: 'Who came, by whom, and what they bought; and what is personal of it.',
	'Own earnings':
		'What someone sees and does who signs in as a partner: links, performance, commissions and payouts of their own, and nothing of the customers.',
	'Payment processors': 'Sales and refunds read from the webhooks of payment processors, and the inbox that they come into.',
	Webhooks: 'What a backend of the program is told: sales, commissions, payouts and partners, signed and sent until it is taken.',
	Notifications: "A person's own notifications, as a member of a workspace and as a partner.",
	Operations: 'Whether the service is well, messages that the queues gave up on, and this document.',
	'Legacy paths': 'The same routes under `/api/tracking`, for earlier clients. New clients use `/api/v1/track`.',
} as const;

export type TagName = keyof typeof TAGS;
