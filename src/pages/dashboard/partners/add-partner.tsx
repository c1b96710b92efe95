import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { DialogButton, OpenDialog } from '../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Copy } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useProgram } from '../use-program.ts';
import { GroupChoice, groupOf } from './group-choice.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { shortUrlOf } from './links/link-addresses.ts';

export function AddPartner() {
	return (
		<DialogButton trigger={<Button className="react-aria-Button primary">Add a partner</Button>} title="Add a partner">
			{(close) => <AddForm close={close} />}
		</DialogButton>
	);
}

/** For the command palette. */
export function AddPartnerDialog({ onClose }: { onClose: () => void }) {
	return (
		<OpenDialog title="Add a partner" onClose={onClose}>
			<AddForm close={onClose} />
		</OpenDialog>
	);
}

type Added = Awaited<ReturnType<typeof add>>['data'];

function add(id: string, fields: FormData) {
	const json = {
		name: textOf(fields, 'name') ?? '',
		email: textOf(fields, 'email') ?? '',
		short_link: textOf(fields, 'short_link'),
		group_id: groupOf(fields),
	};
	return answerOf(api.v1.programs[':id'].partners.$post({ param: { id }, json }));
}

function AddForm({ close }: { close: () => void }) {
	const { programId } = useProgram();
	const [added, setAdded] = useState<Added>();
	const send = useAction({
		send: (fields: FormData) => add(programId, fields),
		isQuiet: true,
		onDone: ({ data }) => setAdded(data),
	});
	if (added) return <AddedPartner added={added} close={close} />;
	return (
		<ActionForm
			action="Add and invite"
			isPending={send.isPending}
			error={send.error}
			onCancel={close}
			onSend={(fields) => send.mutate(fields)}
		>
			<Field label="Name" name="name" maxLength={120} isRequired autoFocus />
			<Field label="Email address" name="email" type="email" isRequired />
			<GroupChoice none="No group" description="A group can have its own rules." />
			<Field
				label="Short link"
				name="short_link"
				pattern="[A-Za-z0-9_\-]{1,64}"
				placeholder="created for you if empty"
				description="Part of their link, such as /r/pat. Letters, digits, _ and -. You cannot change it later."
			/>
		</ActionForm>
	);
}

function AddedPartner({ added, close }: { added: Added; close: () => void }) {
	const { programId } = useProgram();
	const [link] = added.links;
	return (
		<div className="stack" role="status">
			<p className="note good">
				<b className="wrap">{added.name}</b> is now a partner.
			</p>
			<InvitationLink url={added.invitation_url} email={added.email} mailed={added.mailed} />
			{link && (
				<div className="stack tight">
					<h3>Their link</h3>
					<Copy label="referral link" text={shortUrlOf(link.short_link)} />
				</div>
			)}
			<div className="actions">
				<Link className="button" to="/programs/$programId/partners/$partnerId" params={{ programId, partnerId: String(added.id) }}>
					Open their page
				</Link>
				<Button className="react-aria-Button primary" onPress={close}>
					Done
				</Button>
			</div>
		</div>
	);
}
