/** What a receipt says, for the counts. */
export function outcomeIn(receipt: unknown): string {
	if (typeof receipt !== 'object' || receipt === null) return '';
	if ('outcome' in receipt) return ` ${JSON.stringify(receipt.outcome)}`;
	if ('commissionId' in receipt)
		return 'reason' in receipt && typeof receipt.reason === 'string' ? ` ${receipt.reason}` : ' with commission';
	if (Array.isArray(receipt)) return receipt.length > 0 ? ' some' : ' none';
	return '';
}
