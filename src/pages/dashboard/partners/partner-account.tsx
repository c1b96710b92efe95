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
							<p>They accepted the invitation and sign in with an account of their own.</p>
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
	if (partner.status === 'ended') return <p className="quiet">Nobody accepted the invitation.</p>;
	return (
		<>
			<p>Nobody has accepted the invitation yet: until then the partner sees nothing, but links and commissions count.</p>
			{can('admin') && (
				<div className="actions">
					<Button isPending={invite.isPending} onPress={() => invite.mutate()}>
						{invite.data ? 'Make another link' : 'Invite again'}
					</Button>
				</div>
			)}
			{invite.data ? (
				<div role="status">
					<InvitationLink url={invite.data.data.invitation_url} email={invite.data.data.email} mailed={invite.data.data.mailed} />
				</div>
			) : (
				can('admin') && (
					<p className="quiet small">That makes a new link and mails it where mail is on; the one from before stops working.</p>
				)
			)}
		</>
	);
}

function Detach({ partner }: { partner: Partner }) {
	return (
		<div className="actions">
			<DialogButton
				trigger={<Button className="react-aria-Button danger">Take the person off</Button>}
				title={`Take the person off ${partner.name}?`}
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
		successMessage: () => 'Nobody signs in as this partner any more',
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm
			action="Take off"
			isDangerous
			isPending={detach.isPending}
			error={detach.error}
			onCancel={close}
			onSend={(fields) => detach.mutate(rawTextOf(fields, 'password'))}
		>
			<p>
				For when the wrong one accepted. They are told by mail, and read nothing of this partner any more, in every program of the
				workspace; their payout details go. Somebody else can be invited then. Links, commissions and balances stay.
			</p>
			<PasswordField autoFocus />
		</ActionForm>
	);
}

function Details({ partner }: { partner: Partner }) {
	const { program, can } = useProgram();
	const { payout_details: details } = partner;
	if (!details) return <p className="quiet">They have not said where they are paid. Only they can, in their own account.</p>;
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
	['email', 'E-mail'],
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
			<PasswordField description="The audit log says that you looked." autoFocus />
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
			<p>The membership has ended. What is stored of who they are can be erased.</p>
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
						This cannot be undone. Name, address, account, payout details and the words of their application go, in every program of the
						workspace. Commissions, payouts and the ledger stay, for the books.
					</p>
				</Confirm>
			</div>
		</>
	);
}
