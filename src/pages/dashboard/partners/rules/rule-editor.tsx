import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { DialogButton } from '../../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../../ui/action-form.tsx';
import { Field } from '../../../ui/field.tsx';
import { Choice } from '../../../ui/fields.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { PartnerPicker } from '../../partner-picker.tsx';
import { useProgram } from '../../use-program.ts';
import { GroupChoice, groupOf } from '../group-choice.tsx';
import type { Rule } from './rule-queries.ts';
import { TermsFields, termsOf } from './terms-fields.tsx';

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
		successMessage: () => 'The rule is in force',
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm action="Create rule" isPending={add.isPending} error={add.error} onCancel={close} onSend={(fields) => add.mutate(fields)}>
			<Choice label="For sales of" options={WHOM} value={whom} onChange={setWhom} />
			{whom === 'partner' && <PartnerPicker label="Partner" name="partner_id" isRequired />}
			{whom === 'group' && <GroupChoice none="Choose a group" />}
			<Field
				label="Product"
				name="product_id"
				maxLength={255}
				placeholder="every product"
				description="The product_id of your sales. If empty: every product."
			/>
			<TermsFields currency={program.currency} />
			<p className="quiet small">
				The most specific rule applies: first a partner’s, then a group’s, then everybody’s. In each of them, a rule for one product comes
				before a rule for every product.
			</p>
		</ActionForm>
	);
}

export function ChangeRule({ rule }: { rule: Rule }) {
	return (
		<DialogButton trigger={<Button className="react-aria-Button plain">Edit</Button>} title="Edit this rule">
			{(close) => <ChangeForm rule={rule} close={close} />}
		</DialogButton>
	);
}

function ChangeForm({ rule, close }: { rule: Rule; close: () => void }) {
	const { programId, program } = useProgram();
	// A flat amount keeps its currency.
	const currency = rule.type === 'flat' ? rule.currency : program.currency;
	const change = useAction({
		send: (fields: FormData) =>
			answerOf(
				api.v1.programs[':id']['commission-rules'][':ruleId'].$patch({
					param: { id: programId, ruleId: String(rule.id) },
					json: termsOf(fields, currency),
				}),
			),
		successMessage: ({ data }) =>
			data.version === rule.version ? 'Nothing changed: the rule already says this' : `Version ${data.version} is in force`,
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm action="Save" isPending={change.isPending} error={change.error} onCancel={close} onSend={(fields) => change.mutate(fields)}>
			<TermsFields terms={rule} currency={currency} />
			<p className="quiet small">
				The new version applies to sales from now on, and to coming renewals. To change the partners or the product, create another rule.
			</p>
		</ActionForm>
	);
}
