import { useState } from 'react';
import { ibanProblem, parseBic } from '../../../domain/payouts/iban.ts';
import { PAYOUT_METHODS, type PayoutMethod } from '../../../domain/payouts/payout-details.ts';
import { PasswordField } from '../../account/password-field.tsx';
import { answerOf, api } from '../../api.ts';
import { ActionForm, rawTextOf, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Choice } from '../../ui/fields.tsx';
import { useAction } from '../../ui/use-action.ts';
import { METHODS } from '../../labels/payout.tsx';
import type { PartnerAccount } from '../memberships.ts';

const METHOD_CHOICES = PAYOUT_METHODS.map((value) => ({ value, label: METHODS[value] }));

/** Shows invalid input while typing, before the service would refuse it. */
export function DetailsForm({ account, close }: { account: PartnerAccount; close: () => void }) {
	const [method, setMethod] = useState<PayoutMethod>('paypal');
	const save = useAction({
		send: (fields: FormData) =>
			answerOf(
				api.v1['partner-accounts'][':partnerId']['payout-details'].$put({
					param: { partnerId: String(account.partner_id) },
					json: { method, ...detailsOf(fields), password: rawTextOf(fields, 'password') },
				}),
			),
		successMessage: () => `${account.workspace_name} will pay you there from now on`,
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm action="Save" isPending={save.isPending} error={save.error} onCancel={close} onSend={(fields) => save.mutate(fields)}>
			<Choice label="Paid by" options={METHOD_CHOICES} value={method} onChange={setMethod} />
			{method === 'paypal' && (
				<Field
					key="paypal"
					label="Email address of your PayPal account"
					name="email"
					type="email"
					autoComplete="email"
					maxLength={127}
					isRequired
				/>
			)}
			{method === 'wise' && <WiseFields />}
			{method === 'bank' && <BankFields currency={account.partner_programs[0]?.program.currency} />}
			<PasswordField description="This keeps anyone who finds your browser open from redirecting your payouts." />
		</ActionForm>
	);
}

/** Named as in the route, without fields that the method does not use. */
function detailsOf(fields: FormData) {
	const type = textOf(fields, 'receiver_type');
	return {
		email: textOf(fields, 'email'),
		holder: textOf(fields, 'holder'),
		receiver_type: RECEIVERS.find(({ value }) => value === type)?.value,
		currency: textOf(fields, 'currency')?.toUpperCase(),
		iban: textOf(fields, 'iban'),
		bic: textOf(fields, 'bic'),
		country: textOf(fields, 'country'),
		account_number: textOf(fields, 'account_number'),
		routing_code: textOf(fields, 'routing_code'),
	};
}

type Receiver = 'person' | 'business';

const RECEIVERS = [
	{ value: 'person', label: 'A person' },
	{ value: 'business', label: 'A business' },
] as const satisfies readonly { value: Receiver; label: string }[];

function WiseFields() {
	const [receiver, setReceiver] = useState<Receiver>('person');
	return (
		<>
			<Field
				key="wise"
				label="Email address of your Wise account"
				name="email"
				type="email"
				autoComplete="email"
				maxLength={127}
				isRequired
			/>
			<Holder />
			<Choice label="It belongs to" name="receiver_type" options={RECEIVERS} value={receiver} onChange={setReceiver} />
		</>
	);
}

type AccountKind = 'iban' | 'number';

const ACCOUNT_KINDS: readonly { value: AccountKind; label: string }[] = [
	{ value: 'iban', label: 'IBAN' },
	{ value: 'number', label: 'Account number (countries without IBANs)' },
];

function BankFields({ currency }: { currency: string | undefined }) {
	const [kind, setKind] = useState<AccountKind>('iban');
	return (
		<>
			<Holder />
			<Field
				label="Currency of the account"
				name="currency"
				defaultValue={currency}
				pattern="[A-Za-z]{3}"
				maxLength={3}
				description="Three letters, such as EUR."
				isRequired
			/>
			<Choice label="Account identified by" options={ACCOUNT_KINDS} value={kind} onChange={setKind} />
			{kind === 'iban' ? (
				<Field
					label="IBAN"
					name="iban"
					autoComplete="off"
					maxLength={50}
					validate={(text) => (text === '' ? null : (ibanProblem(text) ?? null))}
					isRequired
				/>
			) : (
				<NumberFields />
			)}
			<Field
				label="BIC"
				name="bic"
				autoComplete="off"
				maxLength={20}
				description="If your bank gives you one."
				validate={(text) => (text === '' || parseBic(text) !== undefined ? null : 'A BIC has 8 or 11 letters and digits.')}
			/>
		</>
	);
}

function NumberFields() {
	return (
		<>
			<Field
				label="Country of the bank"
				name="country"
				pattern="[A-Za-z]{2}"
				maxLength={2}
				description="Two letters, such as US."
				autoComplete="off"
				isRequired
			/>
			<Field label="Account number" name="account_number" autoComplete="off" validate={(text) => problemOf(text, 4, 34)} isRequired />
			<Field
				label="Routing number"
				name="routing_code"
				autoComplete="off"
				description="The number that identifies your bank, such as a sort code or BSB."
				validate={(text) => problemOf(text, 3, 20)}
				isRequired
			/>
		</>
	);
}

function problemOf(text: string, least: number, most: number): string | null {
	const isFine =
		/^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/.test(text.trim()) && text.trim().length >= least && text.trim().length <= most;
	return text === '' || isFine ? null : `Enter ${least} to ${most} digits and letters, without spaces.`;
}

function Holder() {
	return <Field label="Name on the account" name="holder" autoComplete="name" maxLength={120} isRequired />;
}
