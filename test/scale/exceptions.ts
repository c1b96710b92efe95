/** A route, job or message that may exceed its budget, and why. */
export interface Exception {
	/** The most rows that its worst case may read in the test's program. */
	readonly ceiling: number;
	readonly reason: string;
	/** The cost of one worst case: D1 charges $0.001 per million rows read. */
	readonly dollars: number;
}

/** Keyed by operationId, or by the name of a job or message. */
export const EXCEPTIONS: Readonly<Record<string, Exception>> = {
	listCommissions: {
		ceiling: 210_000,
		reason:
			'A file of a state that hardly occurs is whole, so it looks at every commission of the program. A page reads 5,000 rows at most.',
		dollars: 0.000_21,
	},
	summarizeCommissions: {
		ceiling: 155_000,
		reason:
			'The sums of a search that finds several partners, or nothing, are exact: it is held against each commission and its sale. A whole transaction id, the beginning of one, and the name of one partner are found by an index.',
		dollars: 0.000_16,
	},
	listPartners: {
		ceiling: 145_000,
		reason:
			'The order of names is that of 20,000 partners: an index of names would belong to the workspace, and its programs have different partners.',
		dollars: 0.000_15,
	},
	listPayouts: {
		ceiling: 6_500,
		reason: 'The method of a payout is that of its partner, so a page looks it up for each of 1,200 payouts.',
		dollars: 0.000_007,
	},
	previewPayouts: {
		ceiling: 170_000,
		reason:
			'It names every payout of up to 10,000 commissions at once, and reads all accounts and partners for it. The pages read listDue instead.',
		dollars: 0.000_17,
	},
	startPayRun: {
		ceiling: 110_000,
		reason: 'As sumDue: what is due is summed once more before it is paid, so that the number that was seen is the number that is paid.',
		dollars: 0.000_11,
	},
	readPerformance: {
		ceiling: 520_000,
		reason: 'By partner or link for all time it adds up 20,000 partners or 40,000 links by closed months, and the days of the open one.',
		dollars: 0.000_52,
	},
	exportCustomer: {
		ceiling: 4_500_000,
		reason:
			'An id of the person may stand anywhere in a body of a processor. Here the person has 800 ids, and each is looked for in each of 5,000 bodies a step; SQLite counts each comparison as a row.',
		dollars: 0.004_5,
	},
	eraseCustomer: {
		ceiling: 190_000,
		reason: 'As exportCustomer, for the ids that are left: 5,000 bodies a step.',
		dollars: 0.000_19,
	},
	erasures_swept: { ceiling: 64_000, reason: 'It goes on with what eraseCustomer began.', dollars: 0.000_064 },
	listRefusals: {
		ceiling: 7_100,
		reason: 'A call that hardly occurs is looked for among all refusals of the program, of which there are at most 1,000.',
		dollars: 0.000_007,
	},
	listDue: {
		ceiling: 25_000,
		reason: 'A page looks through up to 3,000 partners, most of whom may be due nothing, and reads what each of them has not been paid.',
		dollars: 0.000_018,
	},
	sumDue: {
		ceiling: 150_000,
		reason:
			'The sums of a payout are exact: they read each account once and each commission that is not paid. Only who opens Payouts asks.',
		dollars: 0.000_11,
	},
	rankPartners: {
		ceiling: 480_000,
		reason:
			'It ranks 20,000 partners by figures that change all the time. A month reads each of their links and memberships a few times, all time every link-day.',
		dollars: 0.000_48,
	},
	startDecisionRun: {
		ceiling: 11_000,
		reason: 'It counts what matches up to 10,000, so that a wrong number is told before anything is decided.',
		dollars: 0.000_011,
	},
	daily_rows_repaired: {
		ceiling: 21_000,
		reason:
			'It compares the figures of a day with its clicks, customers and sales, so it reads as many rows as the day has, some ten times. A program has three such days an hour.',
		dollars: 0.000_021,
	},
	listGroups: {
		ceiling: 38_000,
		reason: 'It counts the members of each group on the page, by their state: a program has some tens of groups.',
		dollars: 0.000038,
	},
	listDeadLetters: {
		ceiling: 75_100,
		reason: 'What waits among what is settled has no index of its own: a deployment has some hundred letters, here 25,000.',
		dollars: 0.000075,
	},
	listWebhookDeliveries: {
		ceiling: 26_000,
		reason:
			'A type or state that hardly occurs is looked for in all deliveries of the webhook, which are kept for 30 days. An index would be a row more for each delivery.',
		dollars: 0.000026,
	},
	previewRulesByLine: {
		ceiling: 33_000,
		reason: 'It compares the newest 5,000 sales once, when somebody is about to switch rules.',
		dollars: 0.000033,
	},
	listEvents: {
		ceiling: 46_000,
		reason: 'A value that hardly occurs is looked for in the newest 5,000 events of each type, and where it stopped the next page goes on.',
		dollars: 0.000046,
	},
	listOwnEvents: { ceiling: 46_000, reason: 'As listEvents.', dollars: 0.000046 },
	readEvent: {
		ceiling: 15_000,
		reason: 'It tells the whole story of a customer: here one with 520 sales, each with its commission, refunds and ledger.',
		dollars: 0.000015,
	},
	explainId: { ceiling: 12_000, reason: 'As readEvent, for 72 sales.', dollars: 0.000012 },
};
