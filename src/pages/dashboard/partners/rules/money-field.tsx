import { exponentOf, toMajorUnits } from '../../../../domain/money.ts';
import { amountPattern, centsOf } from '../../../format.ts';
import { textOf } from '../../../ui/action-form.tsx';
import { Field } from '../../../ui/field.tsx';

interface MoneyFieldProps {
	readonly label: string;
	readonly name: string;
	readonly currency: string;
	readonly defaultCents?: number | undefined;
	readonly description?: string;
}

/** Has the currency's decimals. Read it with `moneyOf`. */
export function MoneyField({ label, name, currency, defaultCents, description }: MoneyFieldProps) {
	const digits = exponentOf(currency);
	return (
		<Field
			label={`${label}, ${currency}`}
			name={name}
			inputMode="decimal"
			pattern={amountPattern(currency)}
			defaultValue={defaultCents === undefined ? '' : toMajorUnits(defaultCents, currency).toFixed(digits)}
			description={description}
			isRequired
		/>
	);
}

export function moneyOf(fields: FormData, name: string, currency: string): number {
	return centsOf(textOf(fields, name) ?? '', currency) ?? 0;
}
