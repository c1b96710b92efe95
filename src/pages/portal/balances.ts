interface Balance {
	readonly available: number;
	readonly pending: number;
	readonly debt: number;
}

type Balances = Readonly<Record<string, Balance>>;

/** The program's own currency, then others with a balance or debt. */
export function currenciesOf(balances: Balances, own: string): string[] {
	const others = Object.entries(balances).filter(([code, { available, pending, debt }]) => code !== own && available + pending + debt > 0);
	return [own, ...others.map(([code]) => code)];
}
