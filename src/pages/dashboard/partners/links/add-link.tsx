import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { DialogButton } from '../../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../../ui/action-form.tsx';
import { Field } from '../../../ui/field.tsx';
import { Copy } from '../../../ui/small.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { PartnerPicker } from '../../partner-picker.tsx';
import { useProgram } from '../../use-program.ts';
import { pageUrlOf, shortUrlOf } from './link-addresses.ts';

/** For this partner, or for one picked in the form. */
export function MakeLink({ partner }: { partner?: { readonly id: number; readonly name: string } }) {
	return (
		<DialogButton
			trigger={<Button className={`react-aria-Button ${partner ? '' : 'primary'}`}>Create a link</Button>}
			title={partner ? `Create a link for ${partner.name}` : 'Create a link'}
		>
			{(close) => <MakeForm partnerId={partner?.id} close={close} />}
		</DialogButton>
	);
}

type Made = Awaited<ReturnType<typeof make>>['data'];

function make(id: string, json: { partner_id: number; short_link: string | undefined; destination_url: string | undefined }) {
	return answerOf(api.v1.programs[':id'].links.$post({ param: { id }, json }));
}

function MakeForm({ partnerId, close }: { partnerId: number | undefined; close: () => void }) {
	const { programId, program } = useProgram();
	const [made, setMade] = useState<Made>();
	const send = useAction({
		send: (fields: FormData) =>
			make(programId, {
				partner_id: partnerId ?? Number(fields.get('partner_id')),
				short_link: textOf(fields, 'short_link'),
				destination_url: textOf(fields, 'destination_url'),
			}),
		isQuiet: true,
		onDone: ({ data }) => setMade(data),
	});
	if (made) {
		const page = pageUrlOf(made, program.domain);
		return (
			<div className="stack" role="status">
				<p className="note good">The link is ready. Both addresses lead to the same page, and both count for the partner.</p>
				<h3>Short address</h3>
				<Copy label="short address" text={shortUrlOf(made.short_link)} />
				{page !== undefined && (
					<>
						<h3>The page itself</h3>
						<Copy label="address of the page" text={page} />
					</>
				)}
				<div className="actions">
					<Button className="react-aria-Button primary" onPress={close}>
						Done
					</Button>
				</div>
			</div>
		);
	}
	return (
		<ActionForm
			action="Create link"
			isPending={send.isPending}
			error={send.error}
			onCancel={close}
			onSend={(fields) => send.mutate(fields)}
		>
			{partnerId === undefined && <PartnerPicker label="Partner" name="partner_id" isRequired />}
			<Field
				label="Destination"
				name="destination_url"
				type="url"
				placeholder={program.domain ? `https://${program.domain}/` : undefined}
				description="Any page, such as a product page, starting with https://. If empty: the home page of the program’s domain."
			/>
			<Field
				label="Short link"
				name="short_link"
				pattern="[A-Za-z0-9_\-]{1,64}"
				placeholder="created for you if empty"
				description="Letters, digits, _ and -. You cannot change it later."
			/>
		</ActionForm>
	);
}
