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

interface MoveDialogProps {
	readonly partners: readonly { readonly id: number; readonly name: string }[];
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
							Make the first one
						</Link>
					</p>
				) : (
					<MoveForm
						ids={partners.map(({ id }) => id)}
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

function MoveForm({ ids, close, onDone }: { ids: readonly number[]; close: () => void; onDone: () => void }) {
	const { programId } = useProgram();
	const move = useAction({
		send: (groupId: number | undefined) =>
			answerOf(
				api.v1.programs[':id'].groups[':groupId'].partners.$post({
					param: { id: programId, groupId: String(groupId ?? 0) },
					json: { partner_ids: [...ids] },
				}),
			),
		successMessage: () => `${plural(ids.length, 'partner')} moved`,
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
			<GroupChoice none="Choose a group" />
			<p className="quiet small">
				Its rules count for their sales from now on. What they have earned stays as it is. A single partner leaves a group on their page.
			</p>
		</ActionForm>
	);
}
