import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { plural } from '../../format.ts';
import { DialogButton } from '../../ui/dialogs.tsx';
import { ActionForm } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useAction } from '../../ui/use-action.ts';
import { useProgram } from '../use-program.ts';
import type { CustomerOf } from './customer.tsx';

export function Export({ customer: { id } }: { customer: CustomerOf }) {
	const { programId } = useProgram();
	const download = useAction({
		isRead: true,
		send: async () => {
			const { data } = await answerOf(
				api.v1.programs[':id'].customers.export.$post({ param: { id: programId }, json: { customer_id: id } }),
			);
			saveFile(`customer-${id}.json`, JSON.stringify(data, null, '\t'), 'application/json');
		},
		successMessage: () => 'Export downloaded and recorded in the audit log',
	});
	return (
		<Button isPending={download.isPending} onPress={() => download.mutate()}>
			Export
		</Button>
	);
}

export function Erase({ customer }: { customer: CustomerOf }) {
	return (
		<DialogButton trigger={<Button className="react-aria-Button danger">Erase</Button>} title="Erase this customer’s personal data">
			{(close) => <EraseForm customer={customer} close={close} />}
		</DialogButton>
	);
}

const WORD = 'erase';

function EraseForm({ customer, close }: { customer: CustomerOf; close: () => void }) {
	const { programId } = useProgram();
	const [typed, setTyped] = useState('');
	const erase = useAction({
		send: async () =>
			(await answerOf(api.v1.programs[':id'].customers.erase.$post({ param: { id: programId }, json: { customer_id: customer.id } }))).data,
		isQuiet: true,
		successMessage: ({ erased }) =>
			`Erased: ${plural(erased.customers, 'customer')}, ${plural(erased.clicks, 'click')}, ${plural(erased.sales, 'sale')}`,
		onDone: close,
	});
	const isConfirmed = typed.trim().toLowerCase() === WORD;
	return (
		<ActionForm
			action="Erase permanently"
			isDangerous
			isDisabled={!isConfirmed}
			isPending={erase.isPending}
			error={erase.error}
			onCancel={close}
			onSend={() => isConfirmed && erase.mutate()}
		>
			<div className="stack tight">
				<p>
					<strong>Permanently erased:</strong> the customer key, email address and click id, also those of other customers with the same
					email address; the pages, devices and languages of the clicks; the line items and subscriptions of the sales; the reasons for
					refunds; the contents of payment events; and refused calls.
				</p>
				<p>
					<strong>Kept for accounting:</strong> the times, amounts, products and payment ids of sales, commissions, balances and payouts. No
					report changes by a cent.
				</p>
				<p>
					<strong>Afterwards:</strong> for 400 days, the service refuses sales and leads with these ids. A customer who comes back needs a
					new customer key. You must also erase the customer at your payment processor.
				</p>
			</div>
			<Field label={`Type “${WORD}” to confirm`} value={typed} onChange={setTyped} autoComplete="off" autoFocus isRequired />
		</ActionForm>
	);
}
