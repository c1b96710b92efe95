import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { Role } from '../../../domain/people/role.ts';
import { answerOf, api } from '../../api.ts';
import { dayOf } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Confirm, DialogButton } from '../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Choice } from '../../ui/fields.tsx';
import { Empty } from '../../ui/loaded.tsx';
import { Card } from '../../ui/page.tsx';
import { Copy } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useWorkspace } from './use-workspace.ts';
import { givable, ROLE_NAMES } from '../../account/role-names.ts';
import type { Invitation } from './team.tsx';

export function InviteButton() {
	return (
		<DialogButton trigger={<Button className="react-aria-Button primary">Invite</Button>} title="Invite someone">
			{(close) => <InviteForm close={close} />}
		</DialogButton>
	);
}

function InviteForm({ close }: { close: () => void }) {
	const { id: workspaceId, zone, role: own } = useWorkspace();
	const [role, setRole] = useState<Role>('member');
	const invite = useAction({
		send: async (email: string) =>
			(await answerOf(api.v1.workspaces[':id'].members.$post({ param: { id: workspaceId }, json: { email, role } }))).data,
		isQuiet: true,
	});
	if (invite.data) {
		const { email, mailed, invitation_url: url, expires_at: until } = invite.data;
		return (
			<>
				<p className="wrap">
					{mailed ? `An email with this link is on its way to ${email}.` : `No email was sent. Send this link to ${email} yourself.`}
				</p>
				<Copy label="the invitation" text={url} />
				<p className="description">
					Anyone with this link can use it once to join, until {dayOf(until, zone)}. Copy it now. You will not see it again.
				</p>
				<div className="actions">
					<Button className="react-aria-Button primary" onPress={close}>
						Done
					</Button>
				</div>
			</>
		);
	}
	return (
		<ActionForm
			action="Invite"
			isPending={invite.isPending}
			error={invite.error}
			onCancel={close}
			onSend={(fields) => invite.mutate(textOf(fields, 'email') ?? '')}
		>
			<Field
				name="email"
				label="Email address"
				type="email"
				autoComplete="off"
				description="This replaces any open invitation for the same address."
				isRequired
				autoFocus
			/>
			<Choice label="Role" options={givable(own)} value={role} onChange={setRole} />
		</ActionForm>
	);
}

export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
	const { zone, may } = useWorkspace();
	return (
		<Card title="Open invitations" isFlush>
			<DataTable
				label="Open invitations"
				rows={invitations}
				empty={<Empty title="No open invitations">People who were invited but have not joined yet appear here.</Empty>}
				columns={[
					{ id: 'email', label: 'Email', cell: ({ email }) => <span className="cut">{email}</span> },
					{ id: 'role', label: 'Role', cell: ({ role }) => (role === null ? 'Partner' : ROLE_NAMES[role]) },
					{ id: 'by', label: 'Invited by', cell: ({ invited_by: by }) => <span className="cut">{by.name}</span> },
					{
						id: 'until',
						label: 'Valid until',
						cell: ({ expires_at: until }) => <span className="when">{dayOf(until, zone)}</span>,
					},
					...(may('admin')
						? [{ id: 'actions', label: 'Actions', cell: (invitation: Invitation) => <Withdraw invitation={invitation} /> }]
						: []),
				]}
			/>
		</Card>
	);
}

function Withdraw({ invitation }: { invitation: Invitation }) {
	const { id: workspaceId } = useWorkspace();
	const withdraw = useAction({
		send: () =>
			answerOf(
				api.v1.workspaces[':id'].invitations[':invitationId'].$delete({
					param: { id: workspaceId, invitationId: String(invitation.id) },
				}),
			),
		successMessage: () => 'The invitation was withdrawn',
	});
	return (
		<Confirm
			trigger={
				<Button className="react-aria-Button danger" aria-label={`Withdraw the invitation for ${invitation.email}`}>
					Withdraw
				</Button>
			}
			title={`Withdraw the invitation for ${invitation.email}?`}
			action="Withdraw"
			isDangerous
			isPending={withdraw.isPending}
			onConfirm={() => withdraw.mutate()}
		>
			<p>Its link will stop working.</p>
		</Confirm>
	);
}
