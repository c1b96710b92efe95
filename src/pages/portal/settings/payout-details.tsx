import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { PasswordField } from '../../account/password-field.tsx';
import { answerOf, api } from '../../api.ts';
import { dayOf } from '../../format.ts';
import { meQuery } from '../../layout/me.ts';
import { ActionForm, rawTextOf } from '../../ui/action-form.tsx';
import { DialogButton } from '../../ui/dialogs.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Facts } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import type { PartnerAccount } from '../memberships.ts';
import { DetailsForm } from './details-form.tsx';
import { payoutDetailsQuery } from './details-query.ts';

/** Each company pays separately, so it gets its own details. */
export function PayoutDetails() {
	const { data: me } = useSuspenseQuery(meQuery);
	return (
		<Page title="Payout details">
			<p className="quiet">
				These tell each program where to send your money. They are stored encrypted. The people who run the program need their password to
				see them in full.
			</p>
			{me.partner_accounts.length === 0 && (
				<Empty title="You are not a partner of any program yet">Once you join a program, enter here how it pays you.</Empty>
			)}
			{me.partner_accounts.map((account) => (
				<OfAccount key={account.partner_id} account={account} />
			))}
		</Page>
	);
}

function OfAccount({ account }: { account: PartnerAccount }) {
	const query = useQuery(payoutDetailsQuery(account.partner_id));
	return (
		<Card title={account.workspace_name}>
			<Loaded query={query}>
				{(details) => (details ? <Known account={account} details={details} /> : <Unknown account={account} />)}
			</Loaded>
		</Card>
	);
}

function Unknown({ account }: { account: PartnerAccount }) {
	return (
		<div className="stack">
			<p>{account.workspace_name} does not know where to send your money yet.</p>
			<div className="actions">
				<Change account={account} label="Add payout details" isPrimary />
			</div>
		</div>
	);
}

interface Details {
	readonly summary: string;
	readonly changed_at: string;
}

function Known({ account, details }: { account: PartnerAccount; details: Details }) {
	return (
		<div className="stack">
			<Facts
				facts={[
					['Paid to', details.summary],
					['Since', dayOf(details.changed_at)],
				]}
			/>
			<div className="actions">
				<DialogButton
					trigger={
						<Button className="react-aria-Button danger" aria-label={`Remove the payout details for ${account.workspace_name}`}>
							Remove
						</Button>
					}
					title="Remove your payout details?"
				>
					{(close) => <Remove account={account} close={close} />}
				</DialogButton>
				<Change account={account} label="Change" />
			</div>
		</div>
	);
}

function Remove({ account, close }: { account: PartnerAccount; close: () => void }) {
	const remove = useAction({
		send: (password: string) => {
			const param = { partnerId: String(account.partner_id) };
			return answerOf(api.v1['partner-accounts'][':partnerId']['payout-details'].$delete({ param, json: { password } }));
		},
		successMessage: () => 'Your payout details were removed',
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm
			action="Remove details"
			isDangerous
			isPending={remove.isPending}
			error={remove.error}
			onCancel={close}
			onSend={(fields) => remove.mutate(rawTextOf(fields, 'password'))}
		>
			<p>{account.workspace_name} cannot pay you until you add payout details again. You keep what you have earned.</p>
			<PasswordField autoFocus />
		</ActionForm>
	);
}

function Change({ account, label, isPrimary = false }: { account: PartnerAccount; label: string; isPrimary?: boolean }) {
	return (
		<DialogButton
			trigger={
				<Button className={`react-aria-Button ${isPrimary ? 'primary' : ''}`} aria-label={`${label} for ${account.workspace_name}`}>
					{label}
				</Button>
			}
			title={`Paid by ${account.workspace_name}`}
		>
			{(close) => <DetailsForm account={account} close={close} />}
		</DialogButton>
	);
}
