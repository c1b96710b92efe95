// Money is an integer in minor units ("cents") of an ISO 4217 currency. Floating point exists only on the wire.

/** ISO 4217 exponents other than 2. (Intl differs for 16 currencies.) */
const EXPONENTS: Readonly<Record<string, number>> = {
	...exponents(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
	...exponents(3, 'BHD IQD JOD KWD LYD OMR TND'),
	...exponents(4, 'CLF UYW'),
};

/** For one sale, refund or flat commission. */
export const MAX_AMOUNT_CENTS = 99_999_999_999;

/** The active currencies and funds of ISO 4217. (Intl's list depends on the platform's version.) */
const CURRENCIES: ReadonlySet<string> = new Set(
	(
		'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY ' +
		'COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD ' +
		'IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN ' +
		'MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD ' +
		'SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF ' +
		'YER ZAR ZMW ZWG'
	).split(' '),
);

export function isCurrency(code: string): boolean {
	return CURRENCIES.has(code);
}

/** Decimal places: 2 for USD, 0 for JPY, 3 for KWD. */
export function exponentOf(currency: string): number {
	return EXPONENTS[currency] ?? 2;
}

/** Minor units as major units, exact: 1999 USD is 19.99. */
export function toMajorUnits(cents: number, currency: string): number {
	return Number(`${cents}e-${exponentOf(currency)}`);
}

/** For display: 1999 USD is `19.99 USD`. */
export function moneyText(cents: number, currency: string): string {
	return `${decimalText(cents, currency)} ${currency}`;
}

/** With all decimals: 1990 USD is `19.90`. */
export function decimalText(cents: number, currency: string): string {
	return toMajorUnits(cents, currency).toFixed(exponentOf(currency));
}

/** `cents` x `basisPoints` / 10,000, rounded half up. */
export function shareOf(cents: number, basisPoints: number): number {
	return proportionOf(cents, basisPoints, 10_000);
}

/** `cents` x `part` / `whole`, rounded half up; exact for any integers. Both factors are >= 0 and `whole` is > 0. */
export function proportionOf(cents: number, part: number, whole: number): number {
	const product = BigInt(cents) * BigInt(part);
	const divisor = BigInt(whole);
	return Number((2n * product + divisor) / (2n * divisor));
}

/** Splits `cents` by weight so that the parts add up exactly (largest remainders). Weights are >= 0, and one is > 0. */
export function apportion(cents: number, weights: readonly number[]): number[] {
	const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
	const parts = weights.map((weight, index) => {
		const product = BigInt(cents) * BigInt(weight);
		return { index, cents: Number(product / whole), remainder: product % whole };
	});
	const left = cents - parts.reduce((sum, part) => sum + part.cents, 0);
	const byRemainder = parts.toSorted((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
	const roundedUp = new Set(byRemainder.slice(0, left).map(({ index }) => index));
	return parts.map((part) => part.cents + (roundedUp.has(part.index) ? 1 : 0));
}

function exponents(exponent: number, codes: string): Record<string, number> {
	return Object.fromEntries(codes.split(' ').map((code) => [code, exponent]));
}
