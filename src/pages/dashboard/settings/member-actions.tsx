import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { mayManage } from '../../../domain/people/role.ts';
import { answerOf, api } from '../../api.ts';
import { Confirm, DialogButton } from '../../ui/dialogs.tsx';
import { ActionForm } from '../../ui/action-form.tsx';
import { Choice } from '../../ui/fields.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useWorkspace } from './use-workspace.ts';
import { givable, ROLE_NAMES } from '../../account/role-names.ts';
import type { Member } from './team.tsx';

interface MemberProps {
	readonly member: Member;
	readonly isSelf: boolean;
}

/** The signed-in member can only leave. */
export function MemberActions({ member, isSelf }: MemberProps) {
	const { id: workspaceId, role } = useWorkspace();
	const navigate = useNavigate();
	const param = { id: workspaceId, memberId: String(member.id) };
	const change = useAction({
		send: (active: boolean) => answerOf(api.v1.workspaces[':id'].members[':memberId'].$patch({ param, json: { active } })),
		successMessage: ({ data }) => `${data.user.name} is ${data.active ? 'active again' : 'deactivated'}`,
	});
	const remove = useAction({
		send: () => answerOf(api.v1.workspaces[':id'].members[':memberId'].$delete({ param })),
		successMessage: () => (isSelf ? 'You have left the workspace' : `${member.user.name} was removed`),
		onDone: () => isSelf && void navigate({ to: '/' }),
	});
	if (isSelf) {
		return (
			<Confirm
				trigger={<Button className="react-aria-Button danger">Leave</Button>}
				title="Leave the workspace?"
				action="Leave"
				isDangerous
				isPending={remove.isPending}
				onConfirm={() => remove.mutate()}
			>
				<p>You will no longer see its programs. You can come back only if someone invites you.</p>
			</Confirm>
		);
	}
	if (!mayManage(role, member.role)) return null;
	return (
		<div className="row">
			<ChangeRole member={member} />
			{member.active ? (
				<Confirm
					trigger={<Button aria-label={`Deactivate ${member.user.name}`}>Deactivate</Button>}
					title={`Deactivate ${member.user.name}?`}
					action="Deactivate"
					isPending={change.isPending}
					onConfirm={() => change.mutate(false)}
				>
					<p>They lose access to the workspace until you activate them again. Everything they did is kept.</p>
				</Confirm>
			) : (
				<Button aria-label={`Activate ${member.user.name}`} isPending={change.isPending} onPress={() => change.mutate(true)}>
					Activate
				</Button>
			)}
			<Confirm
				trigger={
					<Button className="react-aria-Button danger" aria-label={`Remove ${member.user.name}`}>
						Remove
					</Button>
				}
				title={`Remove ${member.user.name}?`}
				action="Remove"
				isDangerous
				isPending={remove.isPending}
				onConfirm={() => remove.mutate()}
			>
				<p>They lose access to the workspace, and their open invitations are withdrawn. Their account is kept.</p>
			</Confirm>
		</div>
	);
}

function ChangeRole({ member }: { member: Member }) {
	return (
		<DialogButton
			trigger={<Button aria-label={`Change the role of ${member.user.name}`}>Change role</Button>}
			title={`Change the role of ${member.user.name}`}
		>
			{(close) => <RoleForm member={member} close={close} />}
		</DialogButton>
	);
}

function RoleForm({ member, close }: { member: Member; close: () => void }) {
	const { id: workspaceId, role: own } = useWorkspace();
	const [role, setRole] = useState(member.role);
	const change = useAction({
		send: () =>
			answerOf(
				api.v1.workspaces[':id'].members[':memberId'].$patch({
					param: { id: workspaceId, memberId: String(member.id) },
					json: { role },
				}),
			),
		successMessage: ({ data }) => `${data.user.name}: ${ROLE_NAMES[data.role].toLowerCase()}`,
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm action="Save" isPending={change.isPending} error={change.error} onCancel={close} onSend={() => change.mutate()}>
			<Choice label="Role" options={givable(own)} value={role} onChange={setRole} />
		</ActionForm>
	);
}
