import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { ActionForm, rawTextOf, textOf } from '../../ui/action-form.tsx';
import { NewPasswordField } from '../../account/password-field.tsx';
import { Field } from '../../ui/field.tsx';
import { useAction } from '../../ui/use-action.ts';
import { Gate } from '../../layout/gate.tsx';

/** The first owner of a new service needs its setup token, unless sign-up is open to everybody. */
export function SignUp() {
	// The token follows the #, so that no server log stores it.
	const givenToken = useLocation({ select: ({ hash }) => hash });
	const router = useRouter();
	const queryClient = useQueryClient();
	const signUp = useAction({
		send: (fields: FormData) => {
			const setupToken = textOf(fields, 'setup_token');
			return answerOf(
				api.v1.auth['sign-up'].$post({
					json: {
						name: textOf(fields, 'name') ?? '',
						email: textOf(fields, 'email') ?? '',
						password: rawTextOf(fields, 'password'),
						workspace_name: textOf(fields, 'workspace_name'),
						...(setupToken === undefined ? {} : { setup_token: setupToken }),
						cookie: true,
					},
				}),
			);
		},
		isQuiet: true,
		onDone: () => {
			queryClient.clear();
			void router.navigate({ to: '/' });
		},
	});
	return (
		<Gate title="Create an account">
			<ActionForm action="Create the account" isPending={signUp.isPending} error={signUp.error} onSend={(fields) => signUp.mutate(fields)}>
				<Field label="Your name" name="name" autoComplete="name" maxLength={120} isRequired autoFocus />
				<Field
					label="Company"
					name="workspace_name"
					autoComplete="organization"
					maxLength={120}
					description="Partners see it."
					isRequired
				/>
				<Field label="Email address" name="email" type="email" autoComplete="username" isRequired />
				<NewPasswordField name="password" label="Password" />
				<Field
					label="Setup token"
					name="setup_token"
					defaultValue={givenToken}
					autoComplete="off"
					description="Only the first owner of a new deployment needs it. npm run deploy printed it."
				/>
			</ActionForm>
			<p className="small">
				Have an account? <a href="/dashboard/sign-in">Sign in</a>
			</p>
		</Gate>
	);
}
