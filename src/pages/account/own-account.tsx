import { useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { DELETED, KEPT } from '../../domain/people/account-deletion.ts';
import { answerOf, api, responseOf } from '../api.ts';
import { DialogButton } from '../ui/dialogs.tsx';
import { ActionForm, rawTextOf, textOf } from '../ui/action-form.tsx';
import { Field } from '../ui/field.tsx';
import { Card, Page } from '../ui/page.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Facts } from '../ui/small.tsx';
import { useAction } from '../ui/use-action.ts';
import { meQuery } from '../layout/me.ts';
import { NewPasswordField, PasswordField } from './password-field.tsx';
import { ROLE_NAMES } from './role-names.ts';

export function OwnAccount() {
	const { data: me } = useSuspenseQuery(meQuery);
	return (
		<Page title="Your account">
			<div className="columns">
				<div className="stack">
					<Card
						title="Who you are"
						actions={
							<DialogButton trigger={<Button>Change the name</Button>} title="What you are called">
								{(close) => <RenameForm name={me.user.name} close={close} />}
							</DialogButton>
						}
					>
						<Facts
							facts={[
								['Name', me.user.name],
								['E-mail address', me.user.email],
								...me.workspaces.map(({ name, role }) => [name, ROLE_NAMES[role]] as const),
								...me.partner_accounts.map(({ workspace_name: name }) => [name, 'Partner'] as const),
							]}
						/>
					</Card>
					<Password />
				</div>
				<div className="stack">
					<OwnData />
					<Delete />
				</div>
			</div>
		</Page>
	);
}

function RenameForm({ name, close }: { name: string; close: () => void }) {
	const rename = useAction({
		send: (fields: FormData) => answerOf(api.v1.me.$patch({ json: { name: textOf(fields, 'name') ?? '' } })),
		successMessage: () => 'Saved',
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm action="Save" isPending={rename.isPending} error={rename.error} onCancel={close} onSend={(fields) => rename.mutate(fields)}>
			<Field
				name="name"
				label="Name"
				defaultValue={name}
				description="People of your workspaces see it. What a program calls you as its partner is its own."
				autoComplete="name"
				maxLength={120}
				isRequired
				autoFocus
			/>
		</ActionForm>
	);
}

function Password() {
	const [changes, setChanges] = useState(0);
	const change = useAction({
		send: (fields: FormData) =>
			answerOf(
				api.v1.auth.password.$post({
					json: { old_password: rawTextOf(fields, 'old_password'), new_password: rawTextOf(fields, 'new_password') },
				}),
			),
		successMessage: () => 'Your password is changed. All other sessions have ended.',
		isQuiet: true,
		onDone: () => setChanges(changes + 1),
	});
	return (
		<Card title="Password">
			<ActionForm action="Change the password" isPending={change.isPending} error={change.error} onSend={(fields) => change.mutate(fields)}>
				<div key={changes} className="contents">
					<PasswordField name="old_password" label="Password until now" />
					<NewPasswordField name="new_password" label="New password" more=" Your other sessions end with the change." />
				</div>
			</ActionForm>
		</Card>
	);
}

function OwnData() {
	const download = useAction({
		isRead: true,
		send: async () => {
			const response = await responseOf(api.v1.me.export.$get({}));
			saveFile('my-data.json', await response.text(), 'application/json');
		},
	});
	return (
		<Card title="Your data">
			<div className="stack">
				<p>
					What is stored of you: memberships, partner accounts, applications, sessions, mail preferences, notifications and what the audit
					log has of you.
				</p>
				<div className="actions">
					<Button isPending={download.isPending} onPress={() => download.mutate()}>
						Download as JSON
					</Button>
				</div>
			</div>
		</Card>
	);
}

function Delete() {
	return (
		<Card title="Delete the account">
			<div className="stack">
				<p>Your account ends for good, and with it whatever tells who you are.</p>
				<div className="actions">
					<DialogButton
						trigger={<Button className="react-aria-Button danger">Delete my account</Button>}
						title="Delete your account for good?"
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
	const end = useAction({
		send: async (password: string) => {
			await answerOf(api.v1.me.$delete({ json: { password } }));
			// A full page load leaves no account data in memory.
			window.location.replace(`${basepath}/sign-in`);
			await new Promise(() => undefined);
		},
		isQuiet: true,
	});
	return (
		<ActionForm
			action="Delete it for good"
			isDangerous
			isPending={end.isPending}
			error={end.error}
			onCancel={close}
			onSend={(fields) => end.mutate(rawTextOf(fields, 'password'))}
		>
			<h3>What goes</h3>
			<ul>
				{DELETED.map((text) => (
					<li key={text}>{text}</li>
				))}
			</ul>
			<h3>What stays, and why</h3>
			<ul>
				{KEPT.map(({ what, why }) => (
					<li key={what}>
						{what} <span className="quiet">{why}</span>
					</li>
				))}
			</ul>
			<PasswordField autoFocus />
		</ActionForm>
	);
}
