import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { DialogButton } from '../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Choice } from '../../ui/fields.tsx';
import { useAction } from '../../ui/use-action.ts';
import { PartnerPicker } from '../partner-picker.tsx';
import { useProgram } from '../use-program.ts';
import { GroupChoice, groupOf } from './group-choice.tsx';
import { MoneyField, moneyOf } from './money-field.tsx';
import type { Rule } from './rule-queries.ts';

export function NewRule() {
	return (
		<DialogButton trigger={<Button className="react-aria-Button primary">New rule</Button>} title="New rule">
			{(close) => <NewForm close={close} />}
		</DialogButton>
	);
}

const WHOM = [
	{ value: 'everyone', label: 'Every partner' },
	{ value: 'group', label: 'The partners of a group' },
	{ value: 'partner', label: 'One partner' },
] as const;

function NewForm({ close }: { close: () => void }) {
	const { programId, program } = useProgram();
	const [whom, setWhom] = useState<(typeof WHOM)[number]['value']>('everyone');
	const add = useAction({
		send: (fields: FormData) =>
			answerOf(
				api.v1.programs[':id']['commission-rules'].$post({
					param: { id: programId },
					json: {
						...termsOf(fields, program.currency),
						product_id: textOf(fields, 'product_id') ?? null,
						partner_id: whom === 'partner' ? Number(fields.get('partner_id')) : null,
						group_id: whom === 'group' ? (groupOf(fields) ?? 0) : null,
					},
				}),
			),
		said: () => 'The rule is in force',
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm action="Make the rule" isPending={add.isPending} error={add.error} onCancel={close} onSend={(fields) => add.mutate(fields)}>
			<Choice label="For sales of" options={WHOM} value={whom} onChange={setWhom} />
			{whom === 'partner' && <PartnerPicker label="Partner" name="partner_id" isRequired />}
			{whom === 'group' && <GroupChoice none="Choose a group" />}
			<Field
				label="Product"
				name="product_id"
				maxLength={255}
				placeholder="every product"
				description="The product_id that your sales carry. Left empty: every product."
			/>
			<TermsFields />
			<p className="quiet small">
				The more exact rule wins: a partner’s over a group’s over everybody’s, and one of a product over one of every product.
			</p>
		</ActionForm>
	);
}

export function ChangeRule({ rule }: { rule: Rule }) {
	return (
		<DialogButton trigger={<Button className="react-aria-Button plain">Change</Button>} title="Change this rule">
			{(close) => <ChangeForm rule={rule} close={close} />}
		</DialogButton>
	);
}

function ChangeForm({ rule, close }: { rule: Rule; close: () => void }) {
	const { programId } = useProgram();
	const currency = useCurrency(rule);
	const change = useAction({
		send: (fields: FormData) =>
			answerOf(
				api.v1.programs[':id']['commission-rules'][':ruleId'].$patch({
					param: { id: programId, ruleId: String(rule.id) },
					json: termsOf(fields, currency),
				}),
			),
		said: ({ data }) => (data.version === rule.version ? 'It says that already' : `Version ${data.version} is in force`),
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm action="Save" isPending={change.isPending} error={change.error} onCancel={close} onSend={(fields) => change.mutate(fields)}>
			<TermsFields rule={rule} />
			<p className="quiet small">
				It counts for sales from now on, and for coming renewals. Whom and what the rule is for stays: make another rule for that.
			</p>
		</ActionForm>
	);
}

/** The currency of a flat amount. */
function useCurrency(rule: Rule | undefined): string {
	const { program } = useProgram();
	return rule?.type === 'flat' ? rule.currency : program.currency;
}

const TYPES = [
	{ value: 'percent', label: 'A share of the sale' },
	{ value: 'flat', label: 'An amount for each sale' },
] as const;

const RENEWALS = [
	{ value: 'always', label: 'Earn too, for as long as they come' },
	{ value: 'months', label: 'Earn too, for some months' },
	{ value: 'never', label: 'Earn nothing' },
] as const;

function TermsFields({ rule }: { rule?: Rule }) {
	const currency = useCurrency(rule);
	const [type, setType] = useState<(typeof TYPES)[number]['value']>(rule?.type ?? 'percent');
	const [renewals, setRenewals] = useState(renewalsOf(rule));
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
						defaultValue={rule?.type === 'percent' ? String(rule.percent) : ''}
						placeholder="20"
						isRequired
					/>
				) : (
					<MoneyField
						label="Amount"
						name="amount"
						currency={currency}
						defaultCents={rule?.type === 'flat' ? rule.amount_cents : undefined}
						description={`For sales in ${currency}.`}
					/>
				)}
			</Pair>
			<Pair>
				<Choice label="Renewals of a subscription" name="renewals" options={RENEWALS} value={renewals} onChange={setRenewals} />
				{renewals === 'months' && (
					<Field
						label="Months from the first payment"
						name="recurring_months"
						inputMode="numeric"
						pattern="[1-9]\d{0,3}"
						defaultValue={rule?.recurring_months ? String(rule.recurring_months) : '12'}
						isRequired
					/>
				)}
			</Pair>
			<Field
				label="Hold, days"
				name="hold_days"
				inputMode="numeric"
				pattern="\d{1,4}"
				defaultValue={String(rule?.hold_days ?? 30)}
				description="How long a commission waits, for refunds, until it is approved by itself. 0: approved at once."
				isRequired
			/>
		</>
	);
}

function Pair({ children }: { children: ReactNode }) {
	return <div className="field-pair">{children}</div>;
}

function renewalsOf(rule: Rule | undefined): (typeof RENEWALS)[number]['value'] {
	const months = rule?.recurring_months ?? null;
	if (months === null) return 'always';
	return months === 0 ? 'never' : 'months';
}

function termsOf(fields: FormData, currency: string) {
	const renewals = fields.get('renewals');
	const shared = {
		recurring_months: renewals === 'always' ? null : renewals === 'never' ? 0 : Number(textOf(fields, 'recurring_months')),
		hold_days: Number(textOf(fields, 'hold_days')),
	};
	return fields.get('type') === 'flat'
		? { type: 'flat' as const, amount_cents: moneyOf(fields, 'amount', currency), currency, ...shared }
		: { type: 'percent' as const, percent: Number(textOf(fields, 'percent')?.replace(',', '.')), ...shared };
}
