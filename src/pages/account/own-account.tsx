import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api, responseOf } from '../api.ts';
import { DialogButton } from '../ui/dialogs.tsx';
import { ActionForm, rawTextOf, textOf } from '../ui/action-form.tsx';
import { Field } from '../ui/field.tsx';
import { Card, Page } from '../ui/page.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Facts } from '../ui/small.tsx';
import { useAction } from '../ui/use-action.ts';
import { meQuery } from '../layout/me.ts';
import { DeleteAccount } from './delete-account.tsx';
import { NewPasswordField, PasswordField } from './password-field.tsx';
import { ROLE_NAMES } from './role-names.ts';

export function OwnAccount() {
	const { data: me } = useSuspenseQuery(meQuery);
	return (
		<Page title="Your account">
			<div className="columns">
				<div className="stack">
					<Card
						title="Profile"
						actions={
							<DialogButton trigger={<Button>Edit name</Button>} title="Edit your name">
								{(close) => <RenameForm name={me.user.name} close={close} />}
							</DialogButton>
						}
					>
						<Facts
							facts={[
								['Name', me.user.name],
								['Email address', me.user.email],
								...me.workspaces.map(({ name, role }) => [name, ROLE_NAMES[role]] as const),
								...me.partner_accounts.map(({ workspace_name: name }) => [name, 'Partner'] as const),
							]}
						/>
					</Card>
					<Password />
				</div>
				<div className="stack">
					<OwnData />
					<DeleteAccount />
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
				description="Members of your workspaces see this name. If you are a partner, a program may use another name for you."
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
		successMessage: () => 'Your password was changed, and all your other sessions were signed out.',
		isQuiet: true,
		onDone: () => setChanges(changes + 1),
	});
	return (
		<Card title="Password">
			<ActionForm action="Change password" isPending={change.isPending} error={change.error} onSend={(fields) => change.mutate(fields)}>
				<div key={changes} className="contents">
					<PasswordField name="old_password" label="Current password" />
					<NewPasswordField name="new_password" label="New password" more=" Changing it signs out your other sessions." />
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
					The data that is stored about you: memberships, partner accounts, applications, sessions, email preferences, notifications and
					your audit log entries.
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
