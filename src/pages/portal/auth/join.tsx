import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import { NewPasswordField } from '../../account/password-field.tsx';
import { type Credentials, credentialsOf, SignInFields } from '../../account/sign-in-fields.tsx';
import { answerOf, api } from '../../api.ts';
import { ActionForm, rawTextOf, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { useAction } from '../../ui/use-action.ts';
import { forgetToken } from './token.ts';

// Each way to accept an invitation leaves the person signed in.

interface Invitee {
	readonly name: string;
	readonly email: string;
}

interface Person {
	readonly name: string;
	readonly password: string;
}

/** Without `person`, the signed-in person accepts. Partners then go to their program, members to the dashboard. */
async function accept(token: string, person?: Person): Promise<never> {
	const sent = api.v1.invitations[':token'].accept.$post({ param: { token }, json: { ...person, cookie: true } });
	const { workspace, partner_account: account } = (await answerOf(sent)).data;
	forgetToken();
	const joined = account?.partner_programs.findLast(({ status }) => status !== 'ended');
	window.location.replace(workspace ? '/dashboard' : joined ? `/portal/programs/${joined.id}` : '/portal');
	// A full page load follows, so nothing here may refetch, least of all the used invitation.
	return new Promise<never>(() => undefined);
}

/** The signed-in person may join, even if the invitation went to another email address. */
export function JoinAsMyself({ token, user, invitedEmail }: { token: string; user: Invitee; invitedEmail: string }) {
	const isSomebodyElse = user.email !== invitedEmail;
	const join = useAction({ send: () => accept(token), isQuiet: true });
	const leave = useAction({
		send: () => answerOf(api.v1.auth['sign-out'].$post()),
		onDone: () => window.location.reload(),
	});
	return (
		<>
			<ActionForm action="Accept" isPending={join.isPending} error={join.error} onSend={() => join.mutate()}>
				<p className={isSomebodyElse ? 'note warn wrap' : 'wrap'}>
					{isSomebodyElse && <>The invitation is for {invitedEmail}. </>}
					You are signed in as <b>{user.name}</b> ({user.email}) and will accept with this account.
				</p>
			</ActionForm>
			<p className="small row">
				Not you?
				<Button className="react-aria-Button link" isPending={leave.isPending} onPress={() => leave.mutate()}>
					Sign out
				</Button>
			</p>
		</>
	);
}

/** Creates an account for the invited address; `known` is the form for people who have one. */
export function JoinWithout({ token, invited, known }: { token: string; invited: Invitee; known: () => ReactNode }) {
	const [hasAccount, setHasAccount] = useState(false);
	const join = useAction({ send: (person: Person) => accept(token, person), isQuiet: true });
	if (hasAccount) {
		return (
			<>
				{known()}
				<Other text="No account yet?" action="Create one" onPress={() => setHasAccount(false)} />
			</>
		);
	}
	return (
		<>
			<ActionForm
				action="Accept"
				isPending={join.isPending}
				error={join.error}
				onSend={(fields) => join.mutate({ name: textOf(fields, 'name') ?? '', password: rawTextOf(fields, 'password') })}
			>
				{/* Read-only and first, so that password managers store it as the user name. */}
				<Field label="You will sign in with" name="email" type="email" autoComplete="username" value={invited.email} isReadOnly />
				<Field label="Your name" name="name" autoComplete="name" defaultValue={invited.name} maxLength={120} isRequired autoFocus />
				<NewPasswordField name="password" label="Choose a password" />
			</ActionForm>
			<Other text="Have an account?" action="Sign in and accept" onPress={() => setHasAccount(true)} />
		</>
	);
}

function Other({ text, action, onPress }: { text: string; action: string; onPress: () => void }) {
	return (
		<p className="small row">
			{text}
			<Button className="react-aria-Button link" onPress={onPress}>
				{action}
			</Button>
		</p>
	);
}

/** If joining fails, the person is signed out again. */
export function JoinWithAccount({ token }: { token: string }) {
	const join = useAction({
		send: async (credentials: Credentials) => {
			await answerOf(api.v1.auth['sign-in'].$post({ json: { ...credentials, cookie: true } }));
			return accept(token).catch(async (error: unknown) => {
				await answerOf(api.v1.auth['sign-out'].$post()).catch(() => undefined);
				throw error;
			});
		},
		isQuiet: true,
	});
	return (
		<ActionForm
			action="Sign in and accept"
			isPending={join.isPending}
			error={join.error}
			onSend={(fields) => join.mutate(credentialsOf(fields))}
		>
			<SignInFields />
		</ActionForm>
	);
}
