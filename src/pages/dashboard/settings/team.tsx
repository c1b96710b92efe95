import './settings.css';
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { dayOf } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Paging } from '../../ui/paging.tsx';
import { Badge } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { meQuery } from '../../layout/me.ts';
import { ArchivedPrograms } from './archived-programs.tsx';
import { Invitations, InviteButton } from './invitations.tsx';
import { MemberActions } from './member-actions.tsx';
import { useWorkspace } from './use-workspace.ts';
import { ROLE_NAMES } from '../../account/role-names.ts';

async function listMembers(id: string, cursor: string | undefined, signal: AbortSignal) {
	return answerOf(api.v1.workspaces[':id'].members.$get({ param: { id }, query: { cursor, total: 'true' } }, { init: { signal } }));
}

export type Member = Awaited<ReturnType<typeof listMembers>>['data']['members'][number];
export type Invitation = Awaited<ReturnType<typeof listMembers>>['data']['invitations'][number];

const ofProgram = getRouteApi('/shell/programs/$programId/settings/team');
const itself = getRouteApi('/shell/workspaces/$workspaceId');

export function Team() {
	const navigate = ofProgram.useNavigate();
	return <People title="Team" cursor={ofProgram.useSearch().cursor} onPage={(cursor) => void navigate({ search: { cursor } })} />;
}

/** Also works without a program. */
export function WorkspaceTeam() {
	const { name } = useWorkspace();
	const navigate = itself.useNavigate();
	return <People title={name} cursor={itself.useSearch().cursor} onPage={(cursor) => void navigate({ search: { cursor } })} />;
}

interface PeopleProps {
	readonly title: string;
	readonly cursor: string | undefined;
	readonly onPage: (cursor: string | undefined) => void;
}

function People({ title, cursor, onPage }: PeopleProps) {
	const { id: workspaceId, zone, may } = useWorkspace();
	const query = useQuery({
		queryKey: ['members', workspaceId, cursor],
		queryFn: ({ signal }) => listMembers(workspaceId, cursor, signal),
		placeholderData: keepPreviousData,
	});
	const { data: me } = useSuspenseQuery(meQuery);
	return (
		<Page title={title} actions={may('admin') && <InviteButton />}>
			<p className="quiet">
				These people work on all programs of the workspace. Members can read. Admins can also make changes. Owners can also see the audit
				log and invite other owners.
			</p>
			<Loaded query={query} lines={6}>
				{({ data, meta }) => (
					<>
						<Card isFlush>
							<DataTable
								label="Members"
								rows={data.members}
								isStale={query.isPlaceholderData}
								empty={<Empty title="There are no members on this page" />}
								columns={[
									{ id: 'name', label: 'Name', cell: ({ user }) => <Person user={user} isSelf={user.id === me.user.id} /> },
									{ id: 'role', label: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
									{
										id: 'state',
										label: 'State',
										cell: ({ active }) => (active ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Deactivated</Badge>),
									},
									{ id: 'since', label: 'Since', cell: ({ since }) => <span className="when">{dayOf(since, zone)}</span> },
									{
										id: 'actions',
										label: 'Actions',
										cell: (member) => <MemberActions member={member} isSelf={member.user.id === me.user.id} />,
									},
								]}
							/>
							<Paging cursor={cursor} meta={meta} shown={data.members.length} onChange={onPage} />
						</Card>
						<Invitations invitations={data.invitations} />
					</>
				)}
			</Loaded>
			<ArchivedPrograms />
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
	const { id, name, may } = useWorkspace();
	const rename = useAction({
		send: (renamed: string) => answerOf(api.v1.workspaces[':id'].$patch({ param: { id }, json: { name: renamed } })),
		successMessage: () => 'Saved',
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
						description="Your partners see it, and emails are sent in its name."
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

/** A separate workspace has other people and partners. */
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
		successMessage: ({ data }) => `${data.name} was created. Now create its first program`,
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
			<p>A workspace has its own members, programs and partners. You will be its owner.</p>
			<Field name="name" label="Name" maxLength={120} isRequired autoFocus />
		</ActionForm>
	);
}
