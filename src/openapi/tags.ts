/** The chapters of the document in order. */
export const TAGS = {
	Tracking:
		'What an integration reports: clicks, leads, sales and refunds. Clicks and leads may come from a page of a listed origin; sales and refunds come from a backend with the program key.',
	'Links and script': "The redirect of partners' links, and the script for the landing pages.",
	Reports: 'Figures day by day, and every event.',
	Integration:
		'Whether an integration works, for backends and command lines with the program key and for members, and which calls were refused.',
	Accounts: "Sign-up, sign-in, sessions, passwords and the account's audit log.",
	Workspaces: 'Workspaces, their members and roles, invitations, and the audit log.',
	Programs: 'Programs and their keys.',
	Partners: 'Partners of a program, their referral links, and groups of them.',
	Applications: 'The public page of a program, and applications to become its partner.',
	'Commission rules': 'What a sale earns.',
	Commissions: 'Earned commissions and their decisions.',
	Payouts: 'Payouts, files for batch payments, and payout details of partners.',
	Customers: 'Customers, their partners and purchases, and their personal data.',
	'Own earnings': 'For people who sign in as a partner: their own links, performance, commissions and payouts, without the customers.',
	'Payment processors': 'Sales and refunds from the webhooks of payment processors, and their inbox.',
	Webhooks: "Signed events about sales, commissions, payouts and partners for the program's backend, retried until they are accepted.",
	Notifications: "A person's own notifications, as a member of a workspace and as a partner.",
	Operations: 'The health of the service, dead letters, and this document.',
	'Legacy paths': 'The same routes under `/api/tracking`, for earlier clients. New clients use `/api/v1/track`.',
} as const;

export type TagName = keyof typeof TAGS;
