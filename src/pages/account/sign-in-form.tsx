import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '../api.ts';
import { ActionForm, rawTextOf, textOf } from '../ui/action-form.tsx';
import { Field } from '../ui/field.tsx';
import { useAction } from '../ui/use-action.ts';
import { Gate } from '../frame/gate.tsx';

const route = getRouteApi('/sign-in');

/** `children`: where else to go from here. */
export function SignInForm({ children }: { children?: ReactNode }) {
	const { next } = route.useSearch();
	const router = useRouter();
	const queryClient = useQueryClient();
	const signIn = useAction({
		send: (json: { email: string; password: string }) => answerOf(api.v1.auth['sign-in'].$post({ json: { ...json, cookie: true } })),
		isQuiet: true,
		onDone: () => {
			queryClient.clear();
			// Only an address of these pages: a link must not lead to somebody else's after the sign-in.
			if (next?.startsWith('/') && !next.startsWith('//')) router.history.push(`${router.basepath}${next}`);
			else void router.navigate({ to: '/' });
		},
	});
	return (
		<Gate title="Sign in">
			<ActionForm
				action="Sign in"
				isPending={signIn.isPending}
				error={signIn.error}
				onSend={(fields) => signIn.mutate({ email: textOf(fields, 'email') ?? '', password: rawTextOf(fields, 'password') })}
			>
				<Field label="E-mail address" name="email" type="email" autoComplete="username" isRequired autoFocus />
				<Field label="Password" name="password" type="password" autoComplete="current-password" isRequired />
			</ActionForm>
			<p className="bar small">
				<a href="/reset-password">Forgot your password?</a>
				{children}
			</p>
		</Gate>
	);
}
