export const SETTINGS = {
	name: { label: 'Name', about: 'You and your partners see this name.' },
	currency: {
		label: 'Currency',
		about: 'Reports use it for totals, and sales without a currency use it too. You cannot change it after the first sale.',
	},
	time_zone: { label: 'Time zone', about: 'Decides when a day begins and ends in reports. You cannot change it after the first event.' },
	cookie_window_days: { label: 'Attribution window, days', about: 'How long after a click a sale still earns its partner a commission.' },
	server_leads_only: {
		label: 'Customer keys from backends only',
		about: 'Pages cannot report a lead with a customer key, so nobody can claim a key by guessing it.',
	},
	renewals_follow_checkout: {
		label: 'Renewals follow their checkout',
		about:
			"If a subscription at a payment processor has no tracker metadata, its renewals belong to the partner of the subscription's first sale. If this is off, such renewals are not attributed, and the payment events say what to set.",
	},
	coupon_wins: {
		label: 'Coupons take precedence over clicks',
		about:
			'If a customer enters a partner’s code, that partner is credited, even if another partner’s link led to the sale. A customer who already has a partner keeps that partner.',
	},
	rules_by_line: {
		label: 'Commissions by line',
		about:
			'Each line of a cart uses the commission rule for its own product. If this is off, one rule applies to the whole sale. Changes apply only to future sales.',
	},
	payout_minimum_cents: {
		label: 'Minimum payout',
		about: 'Partners with a smaller amount due wait for a later payout. Applies only to the program\u2019s own currency.',
	},
	keep_emails: {
		label: 'Keep email addresses of customers',
		about:
			'The addresses of new leads are stored so that you can read them. If this is off, only a keyed hash is stored, which is enough to find a customer again.',
	},
	partner_postbacks: {
		label: 'Partner postbacks',
		about: 'Partners can have the signups, sales and commissions from their links reported to their own system. No customer data is sent.',
	},
	domain: { label: 'Domain', about: 'The host name of your site, such as shop.example. Partner links lead there.' },
	allowed_origins: {
		label: 'Allowed origins',
		about: 'Pages on these origins can report clicks and leads. Calls from all other origins are refused.',
	},
	active: { label: 'State', about: 'Links and keys of a program work while it is active.' },
} as const;
