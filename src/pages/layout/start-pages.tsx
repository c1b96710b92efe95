import '../ui/theme.css';
import '../ui/ui.css';
import './shell.css';
import './layout.css';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from '../api.ts';
import { keepSessionEnded } from '../session-ended.ts';
import { showTheme } from '../ui/theme.ts';
import { Toasts } from '../ui/toasts.tsx';

/** Shows the pages of an entry. On those of `open` nobody needs to be signed in. */
export function startPages(createPages: (queryClient: QueryClient) => AnyRouter, open: readonly string[]): void {
	showTheme();
	const queryClient = createQueryClient(leaveWhereSessionEnded);
	const router = createPages(queryClient);

	let isLeaving = false;
	/** Signed out here, in another tab, or by the clock. */
	function leaveWhereSessionEnded(error: Error): void {
		const { href, pathname } = router.state.location;
		if (!(error instanceof ApiError) || error.status !== 401 || open.includes(pathname) || isLeaving) return;
		isLeaving = true;
		const wasSignedIn = queryClient.getQueryData(['me']) !== undefined;
		if (wasSignedIn) keepSessionEnded();
		window.location.assign(`${router.basepath}/sign-in?${new URLSearchParams({ next: href })}`);
	}

	const root = document.querySelector('#root');
	if (!root) return;
	const show = () =>
		createRoot(root).render(
			<StrictMode>
				<QueryClientProvider client={queryClient}>
					<RouterProvider router={router} />
					<Toasts />
				</QueryClientProvider>
			</StrictMode>,
		);
	// Until the page is there, its outline stays (index.html).
	void router.load().finally(() => isLeaving || show());
}

function createQueryClient(onError: (error: Error) => void): QueryClient {
	const queryClient: QueryClient = new QueryClient({
		queryCache: new QueryCache({ onError }),
		mutationCache: new MutationCache({
			onError: (error, _input, _context, { meta }) => {
				onError(error);
				if (meta?.['isRead'] === true) return;
				// Refused for what was not known here, or nobody knows whether it was done: what is shown is asked for anew.
				if (error instanceof ApiError && (error.status === 409 || error.isPassing)) void queryClient.invalidateQueries();
			},
			// Whatever was changed, nothing that is shown may be from before.
			onSuccess: (_output, _input, _context, { meta }) => (meta?.['isRead'] === true ? undefined : queryClient.invalidateQueries()),
		}),
		defaultOptions: {
			// Without a network a call fails at once: none waits, to be sent behind its sender's back.
			queries: {
				networkMode: 'always',
				staleTime: 15_000,
				retry: (tries, error) => tries < 2 && error instanceof ApiError && error.isPassing,
			},
			mutations: { networkMode: 'always', retry: false },
		},
	});
	return queryClient;
}
