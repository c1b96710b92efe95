/** What became of a refund. */
export const OUTCOMES: Readonly<Record<string, string>> = {
	reversed: 'Refunded in full',
	refunded: 'Refunded in part',
	no_commission: 'There was no commission to take it from',
	reinstated: 'It counts again: a refund failed, or a dispute was won',
	skipped: 'It counted nothing',
	test: 'A test refund, which changes nothing',
};
