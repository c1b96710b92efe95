import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '../api.ts';
import { ActionForm } from '../ui/action-form.tsx';
import { useAction } from '../ui/use-action.ts';
import { Gate } from '../frame/gate.tsx';
import { type Credentials, credentialsOf, SignInFields } from './sign-in-fields.tsx';

const route = getRouteApi('/sign-in');

/** `children`: where else to go from here. */
export function SignInForm({ children }: { children?: ReactNode }) {
	const { next } = route.useSearch();
	const router = useRouter();
	const queryClient = useQueryClient();
	const signIn = useAction({
		send: (credentials: Credentials) => answerOf(api.v1.auth['sign-in'].$post({ json: { ...credentials, cookie: true } })),
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
				onSend={(fields) => signIn.mutate(credentialsOf(fields))}
			>
				<SignInFields />
			</ActionForm>
			<p className="bar small">
				<a href="/reset-password">Forgot your password?</a>
				{children}
			</p>
		</Gate>
	);
}
