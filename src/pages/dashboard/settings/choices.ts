import { isCurrency } from '../../../domain/money.ts';

// Long lists of choices from the browser; the service validates them.

const LOCALE = 'en-US';

interface Choice {
	readonly value: string;
	readonly label: string;
}

/** Every currency, by name and code. */
export function currencies(): Choice[] {
	const names = new Intl.DisplayNames(LOCALE, { type: 'currency' });
	return Intl.supportedValuesOf('currency')
		.filter(isCurrency)
		.map((code) => ({ value: code, label: `${code} \u2013 ${names.of(code) ?? code}` }));
}

/** Every time zone, plus the current one, which may have an older name. */
export function timeZones(current: string): Choice[] {
	return [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({
		value: zone,
		label: zone.replaceAll('_', ' '),
	}));
}
