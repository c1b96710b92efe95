import { isCurrency } from '../../../domain/money.ts';

// The browser's lists; the service validates the choice.

const LOCALE = 'en-US';

interface Choice {
	readonly value: string;
	readonly label: string;
}

export function currencies(): Choice[] {
	const names = new Intl.DisplayNames(LOCALE, { type: 'currency' });
	return Intl.supportedValuesOf('currency')
		.filter(isCurrency)
		.map((code) => ({ value: code, label: `${code} \u2013 ${names.of(code) ?? code}` }));
}

/** The current zone may have an older name, so it is added. */
export function timeZones(current: string): Choice[] {
	return [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({
		value: zone,
		label: zone.replaceAll('_', ' '),
	}));
}
