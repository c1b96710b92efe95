export const SETTINGS = {
	name: { label: 'Name', about: 'What your partners see, and how you tell programs apart.' },
	currency: { label: 'Currency', about: 'Reports add up in it, and sales that name none are in it. Fixed after the first sale.' },
	time_zone: { label: 'Time zone', about: 'Where a day of the reports begins and ends. Fixed after the first event.' },
	cookie_window_days: { label: 'Attribution window, days', about: 'How long after a click a sale still earns its partner a commission.' },
	server_leads_only: {
		label: 'Leads by customer key from backends only',
		about: 'A page cannot report a lead for a customer key, so that nobody claims a key that can be guessed.',
	},
	renewals_follow_checkout: {
		label: 'Renewals follow their checkout',
		about:
			"A renewal at a payment processor whose subscription has no tracker metadata belongs to the partner of that subscription's first sale. Otherwise it is not attributed, and the payment events say what to set.",
	},
	coupon_wins: {
		label: 'Coupons before clicks',
		about:
			'The partner whose code a customer gives has the sale, even where another one’s link led there. A customer who has a partner already keeps that one.',
	},
	rules_by_line: {
		label: 'Commissions by line',
		about:
			'Each line of a cart takes the commission rule of its own product. Otherwise one rule counts for the whole sale. A change holds for sales to come.',
	},
	payout_minimum_cents: {
		label: 'Smallest payout',
		about: 'A partner who is due less waits for the next payout. It holds for the program\u2019s own currency.',
	},
	keep_emails: {
		label: 'Keep e-mail addresses of customers',
		about: 'Addresses of new leads are stored so that you can read them. Otherwise only a keyed hash, by which a customer is found again.',
	},
	partner_postbacks: {
		label: 'Postbacks of partners',
		about:
			'A partner may have a system of their own told what their links brought: signups, sales and commissions, and nothing of a customer.',
	},
	domain: { label: 'Domain', about: 'The host name of your site, such as shop.example. Links of partners lead there.' },
	allowed_origins: { label: 'Allowed origins', about: 'Pages of these may report clicks and leads; calls of all others are refused.' },
	active: { label: 'State', about: 'Links and keys of a program work while it is active.' },
} as const;
