import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { count, dayOf, plural } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Confirm, DialogButton } from '../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useProgram } from '../use-program.ts';
import { type Group, groupsQuery } from './queries.ts';

export function Groups() {
	const { programId, program, can } = useProgram();
	const groups = useQuery(groupsQuery(programId));
	return (
		<Page title="Groups" actions={can('admin') && <GroupDialog />}>
			<Loaded query={groups}>
				{(rows) => (
					<Card isFlush>
						<DataTable
							label="Groups"
							rows={rows}
							columns={[
								{ id: 'name', label: 'Group', cell: ({ name }) => <span className="cut strong">{name}</span> },
								{ id: 'partners', label: 'Partners', isNumber: true, cell: (group) => <Members group={group} /> },
								{
									id: 'rules',
									label: 'Rules',
									isNumber: true,
									cell: ({ rules }) => (
										<Link to="/programs/$programId/rules" params={{ programId }}>
											{count(rules)}
										</Link>
									),
								},
								{ id: 'made', label: 'Created', cell: ({ created_at }) => dayOf(created_at, program.time_zone) },
								...(can('admin')
									? [{ id: 'actions', label: 'Actions', isNumber: true, cell: (group: Group) => <GroupActions group={group} /> }]
									: []),
							]}
							empty={
								<Empty title="No groups yet">
									<span>A group can have its own rules, such as a better rate for your best partners.</span>
								</Empty>
							}
						/>
					</Card>
				)}
			</Loaded>
		</Page>
	);
}

function Members({ group: { id, partners } }: { group: Group }) {
	const { programId } = useProgram();
	return (
		<>
			<Link to="/programs/$programId/partners" params={{ programId }} search={{ group: String(id) }}>
				{count(partners.active + partners.suspended)}
			</Link>
			{partners.suspended > 0 && <div className="quiet small">{count(partners.suspended)} suspended</div>}
		</>
	);
}

function GroupActions({ group }: { group: Group }) {
	return (
		<span className="actions nowrap">
			<GroupDialog group={group} />
			<Archive group={group} />
		</span>
	);
}

/** Only for a group without partners, so that nobody loses a rate without notice. */
function Archive({ group }: { group: Group }) {
	const { programId } = useProgram();
	const archive = useAction({
		send: () => answerOf(api.v1.programs[':id'].groups[':groupId'].$delete({ param: { id: programId, groupId: String(group.id) } })),
		successMessage: () => `${group.name} is archived`,
	});
	const members = group.partners.active + group.partners.suspended;
	const trigger = (
		<Button className="react-aria-Button plain" aria-label={`Archive ${group.name}`}>
			Archive
		</Button>
	);
	if (members > 0) {
		return (
			<DialogButton trigger={trigger} title={`${group.name} has ${plural(members, 'partner')}`}>
				{() => (
					<p>
						You can archive a group when it has no partners.{' '}
						<Link to="/programs/$programId/partners" params={{ programId }} search={{ group: String(group.id) }}>
							Select its partners
						</Link>{' '}
						and move them to another group first.
					</p>
				)}
			</DialogButton>
		);
	}
	return (
		<Confirm
			trigger={trigger}
			title={`Archive ${group.name}?`}
			action="Archive"
			isDangerous
			isPending={archive.isPending}
			onConfirm={() => archive.mutate()}
		>
			<p>
				You cannot undo this.{' '}
				{group.rules > 0 && `Its ${plural(group.rules, 'rule')} ${group.rules === 1 ? 'is' : 'are'} archived with it. `}Commissions that
				were earned stay. If the application form uses this group, new partners will join no group.
			</p>
		</Confirm>
	);
}

function GroupDialog({ group }: { group?: Group }) {
	const trigger = group ? (
		<Button className="react-aria-Button plain" aria-label={`Rename ${group.name}`}>
			Rename
		</Button>
	) : (
		<Button className="react-aria-Button primary">New group</Button>
	);
	return (
		<DialogButton trigger={trigger} title={group ? `Rename ${group.name}` : 'New group'}>
			{(close) => <GroupForm group={group} close={close} />}
		</DialogButton>
	);
}

function GroupForm({ group, close }: { group: Group | undefined; close: () => void }) {
	const { programId } = useProgram();
	const save = useAction({
		send: (name: string) =>
			group
				? answerOf(
						api.v1.programs[':id'].groups[':groupId'].$patch({ param: { id: programId, groupId: String(group.id) }, json: { name } }),
					)
				: answerOf(api.v1.programs[':id'].groups.$post({ param: { id: programId }, json: { name } })),
		successMessage: () => (group ? 'Saved' : 'Group created'),
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm
			action={group ? 'Save' : 'Create group'}
			isPending={save.isPending}
			error={save.error}
			onCancel={close}
			onSend={(fields) => save.mutate(textOf(fields, 'name') ?? '')}
		>
			<Field
				label="Name"
				name="name"
				defaultValue={group?.name ?? ''}
				maxLength={120}
				description="Partners do not see it."
				isRequired
				autoFocus
			/>
		</ActionForm>
	);
}
