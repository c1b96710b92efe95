/**
 * A history's focus. Twenty random steps rarely reach some states; for example, a debt needs a sale, a payout and a refund for one partner.
 */
export interface Theme {
	readonly name: 'mixed' | 'debts' | 'subscriptions' | 'payments' | 'processors' | 'orders' | 'retirement';
	readonly weight: number;
	/** Multiplies an operation's weight; 1 if missing. */
	readonly times: Readonly<Record<string, number>>;
	readonly visitors: number;
	readonly links: number;
	readonly subscriptions: number;
	readonly subscriptionShare: number;
	readonly foreignCurrencyShare: number;
	readonly productShare: number;
	/** The share of sales and refunds that the backend reports under a processor's payment id. */
	readonly paymentShare: number;
	/** The share of waits that last weeks. */
	readonly longWaitShare: number;
}

/** Fewer reports, so that operations collide more often. */
const FEW_LOOK = { report: 0.4, join: 0, settings: 0 };
const NO_PROCESSOR = { processor: 0, forge: 0, reopen: 0, encounter: 0, twins: 0 };

const PROCESSORS: Theme = {
	name: 'processors',
	weight: 2,
	times: {
		payment: 0,
		reversal: 0,
		retire: 0,
		lead: 0.6,
		click: 0.6,
		rule: 0,
		partner: 0,
		farewell: 0,
		sale: 0.3,
		refund: 0.4,
		start: 0,
		forgive: 0,
		deliver: 2,
		encounter: 3,
		twins: 3,
		...FEW_LOOK,
	},
	visitors: 2,
	links: 4,
	subscriptions: 1,
	subscriptionShare: 0.1,
	foreignCurrencyShare: 0.1,
	productShare: 0.2,
	paymentShare: 0,
	longWaitShare: 0.05,
};

export const THEMES: readonly Theme[] = [
	{
		name: 'mixed',
		weight: 5,
		times: { lead: 2.5, claim: 3, forgive: 0, payment: 0, reversal: 0, retire: 0, ...NO_PROCESSOR },
		visitors: 3,
		links: 7,
		subscriptions: 2,
		subscriptionShare: 0.4,
		foreignCurrencyShare: 0.4,
		productShare: 0.5,
		paymentShare: 0,
		longWaitShare: 0.4,
	},
	{
		name: 'debts',
		weight: 3,
		times: {
			refund: 2,
			payout: 2,
			lead: 0,
			claim: 0,
			rule: 0,
			partner: 0,
			farewell: 0,
			...FEW_LOOK,
			click: 0.2,
			reject: 2,
			contest: 3,
			forgive: 3,
			payment: 0,
			reversal: 0,
			retire: 0,
			...NO_PROCESSOR,
		},
		visitors: 1,
		links: 3,
		subscriptions: 2,
		subscriptionShare: 0.1,
		foreignCurrencyShare: 0.05,
		productShare: 0.1,
		paymentShare: 0,
		longWaitShare: 0.1,
	},
	{
		name: 'subscriptions',
		weight: 2,
		times: { clock: 2, sale: 2, partner: 0.5, report: 0.5, forgive: 0, payment: 0, reversal: 0, retire: 0, ...NO_PROCESSOR },
		visitors: 1,
		links: 4,
		subscriptions: 1,
		subscriptionShare: 0.9,
		foreignCurrencyShare: 0.2,
		productShare: 0.3,
		paymentShare: 0,
		longWaitShare: 0.8,
	},
	{
		name: 'payments',
		weight: 4,
		times: {
			lead: 0.2,
			claim: 0.2,
			click: 0.2,
			rule: 0,
			partner: 0,
			farewell: 0,
			sale: 0.5,
			start: 0,
			contest: 0,
			forgive: 0,
			race: 1.5,
			approve: 0.5,
			deliver: 0.5,
			retire: 0,
			...FEW_LOOK,
			...NO_PROCESSOR,
		},
		visitors: 2,
		links: 3,
		subscriptions: 1,
		subscriptionShare: 0.1,
		foreignCurrencyShare: 0.1,
		productShare: 0.2,
		paymentShare: 0.7,
		longWaitShare: 0.1,
	},
	PROCESSORS,
	// Only if it is selected: backends often sell under the order numbers of other programs.
	{ ...PROCESSORS, name: 'orders', weight: 0, times: { ...PROCESSORS.times, neighbours: 10, sale: 0.1, refund: 0.2 } },
];

/** Replaces a share of the other themes, whose histories stay the same. */
export const RETIREMENT: Theme = {
	name: 'retirement',
	weight: 0,
	times: {
		retire: 2.5,
		click: 3,
		lead: 1.5,
		erase: 4,
		deliver: 1.5,
		replay: 5,
		sale: 0.6,
		refund: 0.3,
		payout: 0.3,
		approve: 0.3,
		reject: 0.3,
		rule: 0.3,
		partner: 0.3,
		join: 0.3,
		application: 0.3,
		claim: 0.5,
		sums: 0.3,
		forgive: 0,
		payment: 0,
		reversal: 0,
		...NO_PROCESSOR,
	},
	visitors: 4,
	links: 5,
	subscriptions: 1,
	subscriptionShare: 0.3,
	foreignCurrencyShare: 0.1,
	productShare: 0.3,
	paymentShare: 0,
	longWaitShare: 0.1,
};
