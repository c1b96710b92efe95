/** Rounded half up to this many decimals; exact for any integers. The denominator is > 0. */
export function roundHalfUp(numerator: bigint | number, denominator: bigint | number, places: number): number {
	const scaled = BigInt(numerator) * 10n ** BigInt(places);
	const divisor = BigInt(denominator);
	const doubled = 2n * scaled + divisor;
	// BigInt division truncates, but half up rounds towards the greater number.
	const quotient = doubled / (2n * divisor);
	const rounded = doubled % (2n * divisor) < 0n ? quotient - 1n : quotient;
	return Number(`${rounded}e-${places}`);
}
