import type { ReactNode } from 'react';
import { answerOf, api } from '../../api.ts';
import { plural } from '../../format.ts';
import { DialogButton } from '../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useProgram } from '../use-program.ts';
import type { MembershipStatus } from './queries.ts';

interface Change {
	readonly verb: string;
	readonly done: string;
	readonly consequence: string;
}

const CHANGES: Readonly<Record<MembershipStatus, Change>> = {
	suspended: {
		verb: 'Suspend',
		done: 'suspended',
		consequence:
			'Until they are resumed their links count no clicks, and sales of customers whom they brought are recorded without a commission. What they have earned stays.',
	},
	active: {
		verb: 'Resume',
		done: 'resumed',
		consequence: 'Clicks and sales count again from now on. Sales recorded in the meantime stay without a commission.',
	},
	ended: {
		verb: 'End',
		done: 'ended',
		consequence:
			'This cannot be undone. Their links stop for good and their short links stay taken; they leave their group. Commissions and balances stay and can be paid out. Who is added again gets another link.',
	},
};

interface StatusDialogProps {
	readonly trigger: ReactNode;
	readonly status: MembershipStatus;
	readonly partners: readonly { readonly id: number; readonly name: string }[];
	readonly onDone?: () => void;
}

/** Changes all of the memberships or none, after showing the consequences. */
export function StatusDialog({ trigger, status, partners, onDone }: StatusDialogProps) {
	const [only] = partners.length === 1 ? partners : [];
	const whom = only?.name ?? plural(partners.length, 'partner');
	const { verb } = CHANGES[status];
	return (
		<DialogButton trigger={trigger} title={status === 'ended' ? `End the membership of ${whom}?` : `${verb} ${whom}?`}>
			{(close) => (
				<StatusForm
					status={status}
					ids={partners.map(({ id }) => id)}
					whom={whom}
					close={close}
					onDone={() => {
						close();
						onDone?.();
					}}
				/>
			)}
		</DialogButton>
	);
}

interface StatusFormProps {
	readonly status: MembershipStatus;
	readonly ids: readonly number[];
	readonly whom: string;
	readonly close: () => void;
	readonly onDone: () => void;
}

function StatusForm({ status, ids, whom, close, onDone }: StatusFormProps) {
	const { programId } = useProgram();
	const { verb, done, consequence } = CHANGES[status];
	const change = useAction({
		send: (reason: string | undefined) =>
			answerOf(api.v1.programs[':id'].partners.status.$post({ param: { id: programId }, json: { partner_ids: [...ids], status, reason } })),
		successMessage: () => `${whom}: ${done}`,
		isQuiet: true,
		onDone,
	});
	return (
		<ActionForm
			action={verb}
			isDangerous={status === 'ended'}
			isPending={change.isPending}
			error={change.error}
			onCancel={close}
			onSend={(fields) => change.mutate(textOf(fields, 'reason'))}
		>
			<p>{consequence}</p>
			<Field
				label="Reason"
				name="reason"
				isLong
				autoFocus
				maxLength={500}
				description={`Optional. ${ids.length === 1 ? 'The partner is' : 'The partners are'} told of it, with this reason.`}
			/>
		</ActionForm>
	);
}
