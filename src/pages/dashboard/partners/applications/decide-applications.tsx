import { Button } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { plural } from '../../../format.ts';
import { DialogButton, SidePanel } from '../../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../../ui/action-form.tsx';
import { Field } from '../../../ui/field.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';
import { GroupChoice, groupOf } from '../group-choice.tsx';
import { InvitationLink } from '../invitation-link.tsx';

interface DecisionProps {
	readonly applications: readonly { readonly id: number; readonly name: string }[];
	readonly onDone: () => void;
}

type ApproveProps = Omit<DecisionProps, 'onDone'> & { readonly onDone: (approved: Approved) => void };

function whomOf(applications: DecisionProps['applications']): string {
	const [only] = applications.length === 1 ? applications : [];
	return only?.name ?? plural(applications.length, 'application');
}

export function ApproveDialog(props: ApproveProps) {
	return (
		<DialogButton trigger={<Button className="react-aria-Button primary">Approve</Button>} title={`Approve ${whomOf(props.applications)}?`}>
			{(close) => <ApproveForm {...props} close={close} />}
		</DialogButton>
	);
}

export type Approved = Awaited<ReturnType<typeof approve>>['data'];

function approve(id: string, ids: readonly number[], groupId: number | undefined) {
	const json = { application_ids: [...ids], group_id: groupId };
	return answerOf(api.v1.programs[':id'].applications.approve.$post({ param: { id }, json }));
}

function ApproveForm({ applications, onDone, close }: ApproveProps & { close: () => void }) {
	const { programId } = useProgram();
	const send = useAction({
		send: (fields: FormData) =>
			approve(
				programId,
				applications.map(({ id }) => id),
				groupOf(fields),
			),
		isQuiet: true,
		onDone: ({ data }) => {
			close();
			onDone(data);
		},
	});
	return (
		<ActionForm action="Approve" isPending={send.isPending} error={send.error} onCancel={close} onSend={(fields) => send.mutate(fields)}>
			<p>
				{applications.length === 1
					? 'They become a partner, get a link, and are invited'
					: 'They become partners, get a link each, and are invited'}{' '}
				to see what they earn.
			</p>
			<GroupChoice none="The group set in the application form" />
		</ActionForm>
	);
}

/** The invitations are shown only once. */
export function ApprovedPanel({ approved, onClose }: { approved: Approved; onClose: () => void }) {
	return (
		<SidePanel
			title={approved.length === 1 ? `${approved[0]?.name} is now a partner` : plural(approved.length, 'new partner')}
			onClose={onClose}
		>
			{approved.map(({ id, name, email, invitation_url, mailed }) => (
				<section key={id} className="stack tight">
					{approved.length > 1 && <h3 className="wrap">{name}</h3>}
					<InvitationLink url={invitation_url} email={email} mailed={mailed} />
				</section>
			))}
			<div className="actions">
				<Button className="react-aria-Button primary" onPress={onClose}>
					Done
				</Button>
			</div>
		</SidePanel>
	);
}

export function DeclineDialog(props: DecisionProps) {
	return (
		<DialogButton trigger={<Button>Decline</Button>} title={`Decline ${whomOf(props.applications)}?`}>
			{(close) => <DeclineForm {...props} close={close} />}
		</DialogButton>
	);
}

function DeclineForm({ applications, onDone, close }: DecisionProps & { close: () => void }) {
	const { programId } = useProgram();
	const decline = useAction({
		send: (reason: string | undefined) =>
			answerOf(
				api.v1.programs[':id'].applications.decline.$post({
					param: { id: programId },
					json: { application_ids: applications.map(({ id }) => id), reason },
				}),
			),
		successMessage: () => `Declined: ${whomOf(applications)}`,
		isQuiet: true,
		onDone: () => {
			close();
			onDone();
		},
	});
	return (
		<ActionForm
			action="Decline"
			isPending={decline.isPending}
			error={decline.error}
			onCancel={close}
			onSend={(fields) => decline.mutate(textOf(fields, 'reason'))}
		>
			<p>They can apply again after 30 days. Their application is deleted after 180 days.</p>
			<Field
				label="Reason"
				name="reason"
				isLong
				maxLength={500}
				description="Optional. If mail is on, they receive an email with this reason."
				autoFocus
			/>
		</ActionForm>
	);
}
