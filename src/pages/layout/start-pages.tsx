import '../ui/theme.css';
import '../ui/typeface.css';
import '../ui/ui.css';
import './shell.css';
import './layout.css';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from '../api.ts';
import { keepSessionEnded } from '../session-ended.ts';
import { refetchShown } from '../ui/refetch.ts';
import { showTheme } from '../ui/theme.ts';
import { Toasts } from '../ui/toasts.tsx';

/** Pages in `open` need no session. */
export function startPages(createPages: (queryClient: QueryClient) => AnyRouter, open: readonly string[]): void {
	showTheme();
	const queryClient = createQueryClient(leaveWhereSessionEnded);
	const router = createPages(queryClient);

	let isLeaving = false;
	/** The session may also have ended in another tab, or have expired. */
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
	const show = () => {
		// Before the first render, so that a typeface from the cache is there at once.
		document.documentElement.classList.remove('starting');
		createRoot(root).render(
			<StrictMode>
				<QueryClientProvider client={queryClient}>
					<RouterProvider router={router} />
					<Toasts />
				</QueryClientProvider>
			</StrictMode>,
		);
	};
	// The outline (index.html) stays until the page is ready.
	void router.load().finally(() => isLeaving || show());
}

function createQueryClient(onError: (error: Error) => void): QueryClient {
	const queryClient: QueryClient = new QueryClient({
		queryCache: new QueryCache({ onError }),
		mutationCache: new MutationCache({
			onError: (error, _input, _context, { meta }) => {
				onError(error);
				if (meta?.['isRead'] === true) return;
				// After a conflict or an unknown result, refetches everything shown.
				if (error instanceof ApiError && (error.status === 409 || error.isPassing)) void refetchShown(queryClient);
			},
			// After any change, refetches everything shown.
			onSuccess: (_output, _input, _context, { meta }) => (meta?.['isRead'] === true ? undefined : refetchShown(queryClient)),
		}),
		defaultOptions: {
			// Without a network, a call fails at once instead of waiting to be sent later.
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
