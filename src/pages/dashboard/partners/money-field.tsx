import { exponentOf, toMajorUnits } from '../../../domain/money.ts';
import { Field, textOf } from '../../ui/fields.tsx';

interface MoneyFieldProps {
	readonly label: string;
	readonly name: string;
	readonly currency: string;
	readonly defaultCents?: number | undefined;
	readonly description?: string;
}

/** An amount as people write it, in the currency's own digits: read it by `moneyOf`. */
export function MoneyField({ label, name, currency, defaultCents, description }: MoneyFieldProps) {
	const digits = exponentOf(currency);
	return (
		<Field
			label={`${label}, ${currency}`}
			name={name}
			inputMode="decimal"
			pattern={patternOf(currency)}
			defaultValue={defaultCents === undefined ? '' : toMajorUnits(defaultCents, currency).toFixed(digits)}
			description={description}
			isRequired
		/>
	);
}

export function moneyOf(fields: FormData, name: string, currency: string): number {
	return centsOf(textOf(fields, name) ?? '', currency) ?? 0;
}

/** In minor units, undefined for what is no amount. Its decimals are moved as text: 0.29 * 100 is not 29 in floating point. */
export function centsOf(text: string, currency: string): number | undefined {
	const written = text.trim();
	return new RegExp(`^(${patternOf(currency)})$`).test(written)
		? Number(`${written.replace(',', '.')}e${exponentOf(currency)}`)
		: undefined;
}

function patternOf(currency: string): string {
	const digits = exponentOf(currency);
	return digits > 0 ? `\\d{1,9}([.,]\\d{1,${digits}})?` : '\\d{1,11}';
}
