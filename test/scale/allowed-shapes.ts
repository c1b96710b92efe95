/**
 * Shapes (support/shapes.ts) that are allowed if the route, job or message meets its budget, each with the reason. The list may only
 * shrink. Routes, jobs and messages in exceptions.ts are
 * checked only for indexes that are built for a statement.
 */
export const ALLOWED_SHAPES: Readonly<Record<string, string>> = {
	'applications_purged: sort': 'It sorts the ids of one batch of 500.',
	'dryRunCommissionRules: walk':
		'It goes through the rules of the program, a thousand at most here: which one counts is for all of them to say.',
	'effects_applied: inner scan': 'The lists of the batch are short: a hundred changes.',
	'effects_applied: sort': 'It sorts the changes of the batch, a hundred.',
	'exportAccount: sort': 'It sorts the last thousand notifications of one person.',
	'listCommissionRules: sort': 'The order by scope has no index; a program has some hundred rules.',
	'makePayouts: inner scan': 'The list of the chosen has 500 ids at most.',
	'makePayouts: sort': 'It sorts what it pays, 500 of the chosen at most.',
	'readCustomer: sort': 'The journey of one customer, by time over four tables.',
	'readOwnPerformance: inner scan': 'The days of the report, once for each of the few links of a partner.',
	'readOwnPerformance: walk': 'The days of the report, once for each of the few links of a partner.',
	'readPartnerProgram: sort': 'It groups the balances of one partner by currency.',
	'readPartnerProgram: walk': 'The unpaid commissions of one partner, by their index.',
	'readProgramStatus: made index': 'Of short lists: the newest sales, and the newest events of each processor.',
	'readProgramStatus: sort': 'It sorts origins, and the newest events of each processor: some tens.',
	'readReadiness: made index': 'As readProgramStatus.',
	'readReadiness: sort': 'As readProgramStatus.',
	'readStatus: made index': 'As readProgramStatus.',
	'readStatus: sort': 'As readProgramStatus.',
	'sumMoney: inner scan': 'The changes of sums that wait in the outbox for a moment.',
	'sumMoney: walk': 'The one row that says up to which day sums are stored.',
	'rejectCommissions: sort': 'It sorts the chosen, 500 at most.',
};
