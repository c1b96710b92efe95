import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { dayOf } from '../../format.ts';
import { Confirm, DialogButton } from '../../ui/dialogs.tsx';
import { ActionForm, rawTextOf } from '../../ui/action-form.tsx';
import { Card } from '../../ui/page.tsx';
import { Facts } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { METHODS } from '../../labels/payout.tsx';
import { PasswordField } from '../../account/password-field.tsx';
import { useProgram } from '../use-program.ts';
import { InvitationLink } from './invitation-link.tsx';
import type { Partner } from './queries.ts';

export function PartnerAccount({ partner }: { partner: Partner }) {
	const { can } = useProgram();
	return (
		<div className="columns">
			<Card title="Account">
				<div className="stack">
					{partner.accepted ? (
						<>
							<p>They accepted the invitation and sign in with their own account.</p>
							{can('owner') && <Detach partner={partner} />}
						</>
					) : (
						<Invitation partner={partner} />
					)}
				</div>
			</Card>
			<Card title="Payout details">
				<div className="stack">
					<Details partner={partner} />
				</div>
			</Card>
			{can('admin') && partner.status === 'ended' && (
				<Card title="Personal data">
					<div className="stack">
						<Erase partner={partner} />
					</div>
				</Card>
			)}
		</div>
	);
}

function Invitation({ partner }: { partner: Partner }) {
	const { programId, can } = useProgram();
	const invite = useAction({
		send: () =>
			answerOf(api.v1.programs[':id'].partners[':partnerId'].invitation.$post({ param: { id: programId, partnerId: String(partner.id) } })),
	});
	if (partner.status === 'ended') return <p className="quiet">The invitation was not accepted.</p>;
	return (
		<>
			<p>
				The invitation has not been accepted yet. Until then, the partner cannot use the portal, but their links and commissions already
				count.
			</p>
			{can('admin') && (
				<div className="actions">
					<Button isPending={invite.isPending} onPress={() => invite.mutate()}>
						{invite.data ? 'Create another link' : 'Invite again'}
					</Button>
				</div>
			)}
			{invite.data ? (
				<div role="status">
					<InvitationLink url={invite.data.data.invitation_url} email={invite.data.data.email} mailed={invite.data.data.mailed} />
				</div>
			) : (
				can('admin') && (
					<p className="quiet small">This creates a new invitation link and, if mail is on, emails it. The previous link stops working.</p>
				)
			)}
		</>
	);
}

function Detach({ partner }: { partner: Partner }) {
	return (
		<div className="actions">
			<DialogButton
				trigger={<Button className="react-aria-Button danger">Disconnect account</Button>}
				title={`Disconnect the account from ${partner.name}?`}
			>
				{(close) => <DetachForm partner={partner} close={close} />}
			</DialogButton>
		</div>
	);
}

function DetachForm({ partner, close }: { partner: Partner; close: () => void }) {
	const { programId } = useProgram();
	const detach = useAction({
		send: (password: string) => {
			const param = { id: programId, partnerId: String(partner.id) };
			return answerOf(api.v1.programs[':id'].partners[':partnerId'].person.$delete({ param, json: { password } }));
		},
		successMessage: () => 'The account is disconnected',
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm
			action="Disconnect"
			isDangerous
			isPending={detach.isPending}
			error={detach.error}
			onCancel={close}
			onSend={(fields) => detach.mutate(rawTextOf(fields, 'password'))}
		>
			<p>
				Use this if the wrong person accepted the invitation. They lose access to this partner in every program of the workspace, and their
				payout details are deleted. If mail is on, they receive an email. You can then invite somebody else. Links, commissions and balances
				stay.
			</p>
			<PasswordField autoFocus />
		</ActionForm>
	);
}

function Details({ partner }: { partner: Partner }) {
	const { program, can } = useProgram();
	const { payout_details: details } = partner;
	if (!details) return <p className="quiet">They have not entered payout details. Only they can enter them, in their own account.</p>;
	return (
		<>
			<Facts
				facts={[
					['Method', METHODS[details.method]],
					['Account', details.summary],
					['Changed', details.changed_at && dayOf(details.changed_at, program.time_zone)],
				]}
			/>
			{can('admin') && (
				<div className="actions">
					<DialogButton trigger={<Button>Reveal</Button>} title="Payout details in full">
						{(close) => <Reveal partner={partner} close={close} />}
					</DialogButton>
				</div>
			)}
		</>
	);
}

const NAMES = [
	['email', 'Email'],
	['holder', 'Holder'],
	['receiver_type', 'Receiver'],
	['currency', 'Currency'],
	['iban', 'IBAN'],
	['bic', 'BIC'],
	['country', 'Country'],
	['account_number', 'Account number'],
	['routing_code', 'Routing code'],
] as const;

function Reveal({ partner, close }: { partner: Partner; close: () => void }) {
	const { programId } = useProgram();
	const [shown, setShown] = useState<Readonly<Record<string, unknown>>>();
	const reveal = useAction({
		send: async (password: string) => {
			const param = { id: programId, partnerId: String(partner.id) };
			const answer = api.v1.programs[':id'].partners[':partnerId']['payout-details'].reveal.$post({ param, json: { password } });
			return (await answerOf(answer)).data;
		},
		isQuiet: true,
		onDone: (details) => setShown({ ...details }),
	});
	if (shown) {
		return (
			<div className="stack" role="status">
				<Facts
					facts={NAMES.map(([field, name]) => {
						const value = shown[field];
						return [name, typeof value === 'string' ? value : undefined] as const;
					})}
				/>
				<div className="actions">
					<Button onPress={close}>Done</Button>
				</div>
			</div>
		);
	}
	return (
		<ActionForm
			action="Reveal"
			isPending={reveal.isPending}
			error={reveal.error}
			onCancel={close}
			onSend={(fields) => reveal.mutate(rawTextOf(fields, 'password'))}
		>
			<PasswordField description="The audit log records that you looked." autoFocus />
		</ActionForm>
	);
}

function Erase({ partner }: { partner: Partner }) {
	const { programId } = useProgram();
	const erase = useAction({
		send: () =>
			answerOf(api.v1.programs[':id'].partners[':partnerId'].erase.$post({ param: { id: programId, partnerId: String(partner.id) } })),
		successMessage: () => 'Erased',
	});
	return (
		<>
			<p>The membership has ended. You can erase this partner’s personal data.</p>
			<div className="actions">
				<Confirm
					trigger={<Button className="react-aria-Button danger">Erase</Button>}
					title={`Erase ${partner.name}?`}
					action="Erase"
					isDangerous
					isPending={erase.isPending}
					onConfirm={() => erase.mutate()}
				>
					<p>
						You cannot undo this. Their name, email address, account, payout details and the text of their application are erased in every
						program of the workspace. Commissions, payouts and the ledger stay for your records.
					</p>
				</Confirm>
			</div>
		</>
	);
}
