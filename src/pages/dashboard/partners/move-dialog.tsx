import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { plural } from '../../format.ts';
import { DialogButton } from '../../ui/dialogs.tsx';
import { ActionForm } from '../../ui/action-form.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useProgram } from '../use-program.ts';
import { GroupChoice, groupOf } from './group-choice.tsx';
import { groupsQuery } from './queries.ts';

interface Moved {
	readonly id: number;
	/** Where they are now. */
	readonly group: { readonly id: number } | null;
}

interface MoveDialogProps {
	readonly partners: readonly Moved[];
	readonly onDone: () => void;
}

/** The group's rules apply to later sales. */
export function MoveDialog({ partners, onDone }: MoveDialogProps) {
	const { programId } = useProgram();
	const { data: groups } = useQuery(groupsQuery(programId));
	return (
		<DialogButton trigger={<Button>Move to a group</Button>} title={`Move ${plural(partners.length, 'partner')} to a group`}>
			{(close) =>
				groups?.length === 0 ? (
					<p>
						There are no groups yet.{' '}
						<Link to="/programs/$programId/groups" params={{ programId }}>
							Create the first one
						</Link>
					</p>
				) : (
					<MoveForm
						partners={partners}
						close={close}
						onDone={() => {
							close();
							onDone();
						}}
					/>
				)
			}
		</DialogButton>
	);
}

function MoveForm({ partners, close, onDone }: { partners: readonly Moved[]; close: () => void; onDone: () => void }) {
	const { programId } = useProgram();
	const { groups } = api.v1.programs[':id'];
	const moveTo = (groupId: number | undefined, moved: readonly Moved[]) => {
		const json = { partner_ids: moved.map(({ id }) => id) };
		return groupId === undefined
			? answerOf(groups.none.partners.$post({ param: { id: programId }, json }))
			: answerOf(groups[':groupId'].partners.$post({ param: { id: programId, groupId: String(groupId) }, json }));
	};
	const move = useAction({
		send: (groupId: number | undefined) => moveTo(groupId, partners),
		successMessage: (_, groupId) =>
			groupId === undefined ? `Now in no group: ${plural(partners.length, 'partner')}` : `Moved: ${plural(partners.length, 'partner')}`,
		undo: () => Promise.all([...Map.groupBy(partners, ({ group }) => group?.id)].map(([groupId, moved]) => moveTo(groupId, moved))),
		isQuiet: true,
		onDone,
	});
	return (
		<ActionForm
			action="Move"
			isPending={move.isPending}
			error={move.error}
			onCancel={close}
			onSend={(fields) => move.mutate(groupOf(fields))}
		>
			<GroupChoice none="No group" />
			<p className="quiet small">
				The group’s rules apply to their sales from now on. Without a group, the program’s general rules apply. Existing commissions do not
				change.
			</p>
		</ActionForm>
	);
}
