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
			<p>Say who you are, and you get a link to choose another one.</p>
			<ActionForm
				action="Send the link"
				isPending={ask.isPending}
				error={ask.error}
				onSend={(fields) => ask.mutate(textOf(fields, 'email') ?? '')}
			>
				<Field label="Email address" name="email" type="email" autoComplete="username" isRequired autoFocus />
			</ActionForm>
			<p className="small">
				<a href="/portal/sign-in">Back to the sign-in</a>
			</p>
		</Gate>
	);
}

/** Everybody gets the same answer, so that it does not reveal who has an account. */
function Mailed({ email }: { email: string }) {
	return (
		<Gate title="Look into your mail">
			<p role="status" className="wrap">
				If <b>{email}</b> has an account here, a link to choose another password is on its way to it. It works once, within the hour.
			</p>
			<p className="quiet">Nothing there? Look into the spam folder, and whether that is the address that you sign in with.</p>
		</Gate>
	);
}

function NoMail({ email }: { email: string }) {
	return (
		<Gate title="This service sends no mail">
			<p role="status">So nobody gets such a link by mail. Whoever runs the service makes one, and hands it to you:</p>
			<ul>
				<li>You are a partner: ask the company whose program it is.</li>
				<li>You run the service: make the link by this command, in its folder.</li>
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
					{home ? 'You are signed in as ' : 'Sign in with it as '}
					<b>{user.email}</b>. Every other session that you had has ended.
				</p>
				<a className="button primary" href={home ?? '/portal/sign-in'}>
					{home ? 'Go on' : 'Sign in'}
				</a>
			</Gate>
		);
	}
	return (
		<Gate title="Choose another password">
			<ActionForm
				action="Set the password"
				isPending={set.isPending}
				error={set.error}
				onSend={(fields) => set.mutate(rawTextOf(fields, 'password'))}
			>
				<NewPasswordField name="password" label="New password" />
				<p className="quiet">It ends every session that you have.</p>
			</ActionForm>
			{set.error && (
				<p className="small row">
					The link does not work?
					<Button className="react-aria-Button link" onPress={askAnew}>
						Ask for another one
					</Button>
				</p>
			)}
		</Gate>
	);
}
