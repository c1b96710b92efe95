/** The document's chapters, in order. */
export const TAGS = {
	Tracking:
		'Report clicks, leads, sales and refunds. Clicks and leads may come from a page of a listed origin; sales and refunds come from a backend with the program key.',
	'Links and script': 'The redirects of referral links, and the script for the pages that they lead to.',
	Reports: 'Daily figures, and every single event.',
	Integration: 'The health of an integration, and refused calls. For members and, with the program key, for backends and command lines.',
	Accounts: "Sign-up, sign-in, sessions and passwords, and the log of a person's account.",
	Workspaces: 'Workspaces, their members and roles, invitations, and the audit log.',
	Programs: 'Programs and their keys.',
	Partners: 'Partners of a program, their referral links and groups.',
	Applications: 'The public page of a program, and applications to become its partner.',
	'Commission rules': 'What a sale earns.',
	Commissions: 'What partners earned, from pending to paid or rejected.',
	Payouts: 'Payments to partners, files for batch payments, and payout details.',
	Customers: 'Customers, the partners who brought them, their purchases and their personal data.',
	'Own earnings': 'What a signed-in partner sees and manages: their own links, performance, commissions and payouts, but no customer data.',
	'Payment processors': 'Sales and refunds from the webhooks of payment processors, and the inbox of their events.',
	Webhooks:
		"Signed events that a program's backend receives about sales, commissions, payouts and partners. Failed deliveries are retried.",
	Notifications: "A person's own notifications, as a member of a workspace and as a partner.",
	Operations: 'The health of the service, dead letters, and this document.',
	'Legacy paths': 'The same routes under `/api/tracking`, for earlier clients. New clients use `/api/v1/track`.',
} as const;

export type TagName = keyof typeof TAGS;
