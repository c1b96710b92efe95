import { type ReactNode, useState } from 'react';
import { textOf } from '../../../ui/action-form.tsx';
import { Field } from '../../../ui/field.tsx';
import { Choice } from '../../../ui/fields.tsx';
import { MoneyField, moneyOf } from './money-field.tsx';

type Terms = { readonly recurring_months: number | null; readonly hold_days: number } & (
	| { readonly type: 'percent'; readonly percent: number }
	| { readonly type: 'flat'; readonly amount_cents: number; readonly currency: string }
);

const TYPES = [
	{ value: 'percent', label: 'A share of the sale' },
	{ value: 'flat', label: 'A fixed amount for each sale' },
] as const;

const RENEWALS = [
	{ value: 'always', label: 'Earn too, as long as the subscription lasts' },
	{ value: 'months', label: 'Earn too, for a number of months' },
	{ value: 'never', label: 'Earn nothing' },
] as const;

interface TermsFieldsProps {
	readonly terms?: Terms;
	/** The currency of a flat amount. */
	readonly currency: string;
	/** An example for the typed percentage. */
	readonly example?: (percent: string) => ReactNode;
}

/** Read them with `termsOf`. */
export function TermsFields({ terms, currency, example }: TermsFieldsProps) {
	const [type, setType] = useState<(typeof TYPES)[number]['value']>(terms?.type ?? 'percent');
	const [percent, setPercent] = useState(terms?.type === 'percent' ? String(terms.percent) : '');
	const [renewals, setRenewals] = useState(renewalsOf(terms));
	return (
		<>
			<Pair>
				<Choice label="Earns" name="type" options={TYPES} value={type} onChange={setType} />
				{type === 'percent' ? (
					<Field
						label="Percent"
						name="percent"
						inputMode="decimal"
						pattern="\d{1,3}([.,]\d{1,2})?"
						value={percent}
						onChange={setPercent}
						placeholder="20"
						isRequired
					/>
				) : (
					<MoneyField
						label="Amount"
						name="amount"
						currency={currency}
						defaultCents={terms?.type === 'flat' ? terms.amount_cents : undefined}
						description={`For sales in ${currency}.`}
					/>
				)}
			</Pair>
			{type === 'percent' && example?.(percent)}
			<Pair>
				<Choice label="Renewals of a subscription" name="renewals" options={RENEWALS} value={renewals} onChange={setRenewals} />
				{renewals === 'months' && (
					<Field
						label="Months from the first payment"
						name="recurring_months"
						inputMode="numeric"
						pattern="[1-9]\d{0,3}"
						defaultValue={terms?.recurring_months ? String(terms.recurring_months) : '12'}
						isRequired
					/>
				)}
			</Pair>
			<Field
				label="Hold, days"
				name="hold_days"
				inputMode="numeric"
				pattern="\d{1,4}"
				defaultValue={String(terms?.hold_days ?? 30)}
				description="How many days a commission waits for possible refunds before it is approved automatically. 0: approved immediately."
				isRequired
			/>
		</>
	);
}

function Pair({ children }: { children: ReactNode }) {
	return <div className="field-pair">{children}</div>;
}

function renewalsOf(terms: Terms | undefined): (typeof RENEWALS)[number]['value'] {
	const months = terms?.recurring_months ?? null;
	if (months === null) return 'always';
	return months === 0 ? 'never' : 'months';
}

export function termsOf(fields: FormData, currency: string) {
	const renewals = fields.get('renewals');
	const shared = {
		recurring_months: renewals === 'always' ? null : renewals === 'never' ? 0 : Number(textOf(fields, 'recurring_months')),
		hold_days: Number(textOf(fields, 'hold_days')),
	};
	return fields.get('type') === 'flat'
		? { type: 'flat' as const, amount_cents: moneyOf(fields, 'amount', currency), currency, ...shared }
		: { type: 'percent' as const, percent: percentOf(textOf(fields, 'percent') ?? ''), ...shared };
}

/** Accepts "12,5" as 12.5. */
export function percentOf(text: string): number {
	return Number(text.replace(',', '.'));
}
