import './settings.css';
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { dayOf } from '../../format.ts';
import { DataTable, Paging } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Badge } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { meQuery } from '../../frame/me.ts';
import { useProgram } from '../use-program.ts';
import { Invitations, InviteButton } from './invitations.tsx';
import { MemberActions } from './member-actions.tsx';
import { ROLE_NAMES } from '../../account/role-names.ts';

const route = getRouteApi('/shell/programs/$programId/settings/team');

async function listMembers(id: string, cursor: string | undefined, signal: AbortSignal) {
	return answerOf(api.v1.workspaces[':id'].members.$get({ param: { id }, query: { cursor } }, { init: { signal } }));
}

export type Member = Awaited<ReturnType<typeof listMembers>>['data']['members'][number];
export type Invitation = Awaited<ReturnType<typeof listMembers>>['data']['invitations'][number];

/** The people of the workspace that the program is in. */
export function Team() {
	const { program, may } = useProgram();
	const { cursor } = route.useSearch();
	const navigate = route.useNavigate();
	const workspaceId = String(program.workspace_id);
	const query = useQuery({
		queryKey: ['members', workspaceId, cursor],
		queryFn: ({ signal }) => listMembers(workspaceId, cursor, signal),
		placeholderData: keepPreviousData,
	});
	const { data: me } = useSuspenseQuery(meQuery);
	return (
		<Page title="Team" actions={may('admin') && <InviteButton />}>
			<p className="quiet">
				They work on all programs of the workspace. Members read, admins change, owners also see the audit log and let owners in.
			</p>
			<Loaded query={query} lines={6}>
				{({ data, meta }) => (
					<>
						<Card isFlush>
							<DataTable
								label="Members"
								rows={data.members}
								isStale={query.isPlaceholderData}
								empty={<Empty title="Nobody is on this page" />}
								columns={[
									{ id: 'name', label: 'Name', cell: ({ user }) => <Person user={user} isSelf={user.id === me.user.id} /> },
									{ id: 'role', label: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
									{
										id: 'state',
										label: 'State',
										cell: ({ active }) => (active ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Deactivated</Badge>),
									},
									{ id: 'since', label: 'Since', cell: ({ since }) => <span className="when">{dayOf(since, program.time_zone)}</span> },
									{
										id: 'actions',
										label: 'Actions',
										cell: (member) => <MemberActions member={member} isSelf={member.user.id === me.user.id} />,
									},
								]}
							/>
							<Paging cursor={cursor} next={meta.next_cursor} onChange={(next) => void navigate({ search: { cursor: next } })} />
						</Card>
						<Invitations invitations={data.invitations} />
					</>
				)}
			</Loaded>
			<Workspace />
		</Page>
	);
}

function Person({ user, isSelf }: { user: Member['user']; isSelf: boolean }) {
	return (
		<span>
			<span className="cut strong">
				{user.name}
				{isSelf && ' (you)'}
			</span>
			<span className="cut quiet small">{user.email}</span>
		</span>
	);
}

function Workspace() {
	const { program, may } = useProgram();
	const { data: me } = useSuspenseQuery(meQuery);
	const name = me.workspaces.find(({ id }) => id === program.workspace_id)?.name ?? '';
	const rename = useAction({
		send: (renamed: string) =>
			answerOf(api.v1.workspaces[':id'].$patch({ param: { id: String(program.workspace_id) }, json: { name: renamed } })),
		said: () => 'Saved',
		isQuiet: true,
	});
	return (
		<Card title="Workspace" actions={<NewWorkspace />}>
			{may('admin') ? (
				<ActionForm
					action="Save"
					isPending={rename.isPending}
					error={rename.error}
					onSend={(fields) => rename.mutate(textOf(fields, 'name') ?? '')}
				>
					<Field
						name="name"
						label="Name"
						defaultValue={name}
						description="Your partners see it, and letters are from it."
						maxLength={120}
						isRequired
					/>
				</ActionForm>
			) : (
				<p className="wrap">{name}</p>
			)}
		</Card>
	);
}

/** Programs whose people, partners and books have nothing to do with each other are in a workspace each. */
function NewWorkspace() {
	return (
		<DialogButton trigger={<Button>New workspace</Button>} title="New workspace">
			{(close) => <NewWorkspaceForm close={close} />}
		</DialogButton>
	);
}

function NewWorkspaceForm({ close }: { close: () => void }) {
	const navigate = useNavigate();
	const create = useAction({
		send: (name: string) => answerOf(api.v1.workspaces.$post({ json: { name } })),
		said: ({ data }) => `${data.name} is there: make its first program`,
		isQuiet: true,
		onDone: ({ data }) => {
			close();
			void navigate({ to: '/programs/new', search: { workspace: String(data.id) } });
		},
	});
	return (
		<ActionForm
			action="Create"
			isPending={create.isPending}
			error={create.error}
			onCancel={close}
			onSend={(fields) => create.mutate(textOf(fields, 'name') ?? '')}
		>
			<p>It has people, programs and partners of its own. You are its owner.</p>
			<Field name="name" label="Name" maxLength={120} isRequired autoFocus />
		</ActionForm>
	);
}
