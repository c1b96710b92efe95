import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { DELETED, KEPT } from '../../domain/people/account-deletion.ts';
import { answerOf, api } from '../api.ts';
import { money } from '../format.ts';
import { ActionForm, rawTextOf } from '../ui/action-form.tsx';
import { DialogButton } from '../ui/dialogs.tsx';
import { CheckboxField } from '../ui/fields.tsx';
import { Card } from '../ui/page.tsx';
import { useAction } from '../ui/use-action.ts';
import { type Owed, owedIn } from './owed.ts';
import { PasswordField } from './password-field.tsx';

export function DeleteAccount() {
	return (
		<Card title="Delete your account">
			<div className="stack">
				<p>Your account is deleted permanently, together with everything that identifies you.</p>
				<div className="actions">
					<DialogButton
						trigger={<Button className="react-aria-Button danger">Delete my account</Button>}
						title="Delete your account permanently?"
						isWide
					>
						{(close) => <DeleteForm close={close} />}
					</DialogButton>
				</div>
			</div>
		</Card>
	);
}

function DeleteForm({ close }: { close: () => void }) {
	const { basepath } = useRouter();
	const [owed, setOwed] = useState<readonly Owed[]>([]);
	const [givesUp, setGivesUp] = useState(false);
	const end = useAction({
		send: async (password: string) => {
			try {
				await answerOf(api.v1.me.$delete({ json: { password, ...(givesUp && { give_up_earnings: true }) } }));
			} catch (error) {
				const found = owedIn(error);
				if (!found) throw error;
				setOwed(found);
				return;
			}
			// A full page load leaves no account data in memory.
			window.location.replace(`${basepath}/sign-in`);
			await new Promise(() => undefined);
		},
		isQuiet: true,
	});
	const isOwed = owed.length > 0;
	return (
		<ActionForm
			action="Delete permanently"
			isDangerous
			isDisabled={isOwed && !givesUp}
			isPending={end.isPending}
			error={end.error}
			onCancel={close}
			cancel={isOwed ? 'Wait until I am paid' : 'Cancel'}
			onSend={(fields) => end.mutate(rawTextOf(fields, 'password'))}
		>
			{isOwed ? <GiveUp owed={owed} isSelected={givesUp} onChange={setGivesUp} /> : <WhatBecomesOfIt />}
			<PasswordField autoFocus />
		</ActionForm>
	);
}

function WhatBecomesOfIt() {
	return (
		<>
			<h3>What is deleted</h3>
			<ul>
				{DELETED.map((text) => (
					<li key={text}>{text}</li>
				))}
			</ul>
			<h3>What is kept, and why</h3>
			<ul>
				{KEPT.map(({ what, why }) => (
					<li key={what}>
						{what} <span className="quiet">{why}</span>
					</li>
				))}
			</ul>
		</>
	);
}

interface GiveUpProps {
	readonly owed: readonly Owed[];
	readonly isSelected: boolean;
	readonly onChange: (isSelected: boolean) => void;
}

/** What the person would lose. It takes the place of the lists, so that it is in sight on a phone. */
function GiveUp({ owed, isSelected, onChange }: GiveUpProps) {
	return (
		<div className="note warn stack" role="alert">
			<div>
				<strong>You are not paid yet. Nothing was deleted.</strong> If you delete the account now, you give up:
				<ul>
					{owed.map(({ program, currency, unpaid_cents: unpaid, on_its_way_cents: onItsWay }) => (
						<li key={`${program.id} ${currency}`} className="wrap">
							<strong>{money(unpaid + onItsWay, currency)}</strong> of {program.name}
							{onItsWay > 0 && <span className="quiet">, {money(onItsWay, currency)} of it in payouts that are not sent yet</span>}
						</li>
					))}
				</ul>
			</div>
			<CheckboxField isSelected={isSelected} onChange={onChange}>
				I give up these earnings
			</CheckboxField>
		</div>
	);
}
