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
			'Until you resume them, their links count no clicks, and sales of customers that they brought are recorded without a commission. Earlier earnings stay.',
	},
	active: {
		verb: 'Resume',
		done: 'resumed',
		consequence: 'Clicks and sales count again from now on. Sales that were recorded during the suspension stay without a commission.',
	},
	ended: {
		verb: 'End',
		done: 'ended',
		consequence:
			'You cannot undo this. Their links stop working for good, and nobody else can use their short links. They leave their group. Commissions and balances stay and can be paid out. If you add them again, they get a new link.',
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
	const set = (to: MembershipStatus, reason?: string) =>
		answerOf(
			api.v1.programs[':id'].partners.status.$post({ param: { id: programId }, json: { partner_ids: [...ids], status: to, reason } }),
		);
	const change = useAction({
		send: (reason: string | undefined) => set(status, reason),
		successMessage: () => `${whom}: ${done}`,
		undo: status === 'ended' ? undefined : () => set(status === 'active' ? 'suspended' : 'active'),
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
				description={`Optional. ${ids.length === 1 ? 'The partner is' : 'The partners are'} notified, with this reason.`}
			/>
		</ActionForm>
	);
}
