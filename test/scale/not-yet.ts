/** What exceeds its budget today, with the rows that its worst case may read. The list only shrinks: who cures a read takes its line away. */
export const NOT_YET: Readonly<Record<string, number>> = {
	listCommissions: 208_000,
	listCustomers: 6_100,
	listPartners: 141_000,
	listPayouts: 10_100,
	previewPayouts: 170_000,
	readPerformance: 520_000,
	summarizeCommissions: 250_000,

	// Changes and jobs, each in its dearest batch.
	eraseCustomer: 190_000,
	erasures_swept: 64_000,
	exportCustomer: 4_500_000,
	startPayRun: 110_000,
};
