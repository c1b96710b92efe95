import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { NewPasswordField } from '../../account/password-field.tsx';
import { answerOf, api } from '../../api.ts';
import { Gate } from '../../layout/gate.tsx';
import { meQuery } from '../../layout/me.ts';
import { ActionForm, rawTextOf, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Copy } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { forgetToken, useToken } from './token.ts';

/** Sets a password with the token from a link, or requests such a link. */
export function ResetPassword() {
	const token = useToken();
	const [asksAnew, setAsksAnew] = useState(false);
	if (token === undefined || asksAnew) return <AskForLink />;
	return <SetPassword token={token} askAnew={() => setAsksAnew(true)} />;
}

function AskForLink() {
	const ask = useAction({
		send: async (email: string) => ({ email, ...(await answerOf(api.v1.auth['password-reset'].$post({ json: { email } }))).data }),
		isQuiet: true,
	});
	if (ask.data) return ask.data.sends_mail ? <Mailed email={ask.data.email} /> : <NoMail email={ask.data.email} />;
	return (
		<Gate title="Forgot your password?">
			<p>Enter your email address to get a link for setting a new password.</p>
			<ActionForm
				action="Send link"
				isPending={ask.isPending}
				error={ask.error}
				onSend={(fields) => ask.mutate(textOf(fields, 'email') ?? '')}
			>
				<Field label="Email address" name="email" type="email" autoComplete="username" isRequired autoFocus />
			</ActionForm>
			<p className="small">
				<a href="/portal/sign-in">Back to sign-in</a>
			</p>
		</Gate>
	);
}

/** Everybody gets the same answer, so that it does not reveal who has an account. */
function Mailed({ email }: { email: string }) {
	return (
		<Gate title="Check your email">
			<p role="status" className="wrap">
				If <b>{email}</b> has an account here, we have sent it a link for setting a new password. The link works once, within an hour.
			</p>
			<p className="quiet">No email? Check your spam folder, and that you sign in with this address.</p>
		</Gate>
	);
}

function NoMail({ email }: { email: string }) {
	return (
		<Gate title="This service does not send email">
			<p role="status">Someone has to create the link for you:</p>
			<ul>
				<li>If you are a partner, ask the company that runs the program.</li>
				<li>If you run the service, create the link with this command in its folder.</li>
			</ul>
			<Copy label="the command" text={`npm run recover -- --email ${email} --remote`} />
		</Gate>
	);
}

function SetPassword({ token, askAnew }: { token: string; askAnew: () => void }) {
	const queryClient = useQueryClient();
	const set = useAction({
		send: async (password: string) => {
			const { user } = (await answerOf(api.v1.auth['password-reset'].confirm.$post({ json: { token, new_password: password } }))).data;
			forgetToken();
			// The password is set; if the automatic sign-in fails, the user can sign in manually.
			const isSignedIn = await answerOf(api.v1.auth['sign-in'].$post({ json: { email: user.email, password, cookie: true } })).then(
				() => true,
				() => false,
			);
			if (!isSignedIn) return { user, home: undefined };
			await queryClient.resetQueries(meQuery);
			const { workspaces } = await queryClient.fetchQuery(meQuery);
			return { user, home: workspaces.length > 0 ? '/dashboard' : '/portal' };
		},
		isQuiet: true,
	});
	if (set.data) {
		const { user, home } = set.data;
		return (
			<Gate title="Your password is set">
				<p role="status" className="wrap">
					{home ? 'You are signed in as ' : 'Sign in as '}
					<b>{user.email}</b>. All other sessions were signed out.
				</p>
				<a className="button primary" href={home ?? '/portal/sign-in'}>
					{home ? 'Go on' : 'Sign in'}
				</a>
			</Gate>
		);
	}
	return (
		<Gate title="Set a new password">
			<ActionForm
				action="Set password"
				isPending={set.isPending}
				error={set.error}
				onSend={(fields) => set.mutate(rawTextOf(fields, 'password'))}
			>
				<NewPasswordField name="password" label="New password" />
				<p className="quiet">This signs you out on all devices.</p>
			</ActionForm>
			{set.error && (
				<p className="small row">
					Link not working?
					<Button className="react-aria-Button link" onPress={askAnew}>
						Request a new link
					</Button>
				</p>
			)}
		</Gate>
	);
}
