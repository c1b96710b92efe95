import { useIsFetching } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Late, loadLateControls } from '../ui/late.tsx';

const loadNavigation = async () => (await import('./narrow-menu.tsx')).NarrowMenu;

/** How long nothing may load before the page counts as shown. */
const QUIET_MS = 200;

interface LayoutProps {
	/** The label of the side navigation. */
	readonly label: string;
	/** The navigation, shown at the side, or behind a button on a narrow screen. */
	readonly side: ReactNode;
	/** Shown at the top of every page. */
	readonly tools: ReactNode;
	readonly children: ReactNode;
}

/** The layout for signed-in people. */
export function Layout({ label, side, tools, children }: LayoutProps) {
	useLateControls();
	return (
		<div className="shell">
			<a className="button skip" href="#content">
				Skip to the content
			</a>
			<aside className="side" aria-label={label}>
				{side}
			</aside>
			<div className="body">
				<header className="top">
					<NavigationButton>{side}</NavigationButton>
					<div className="row">{tools}</div>
				</header>
				<div>
					<Offline />
					<main id="content" tabIndex={-1}>
						{children}
					</main>
				</div>
			</div>
		</div>
	);
}

function useLateControls(): void {
	const isLoading = useRouterState({ select: ({ status }) => status === 'pending' });
	const isQuiet = useIsFetching() === 0 && !isLoading;
	useEffect(() => {
		if (!isQuiet) return undefined;
		const timer = setTimeout(loadLateControls, QUIET_MS);
		return () => clearTimeout(timer);
	}, [isQuiet]);
}

/** On a narrow screen the navigation opens over the page, and closes when another page opens. */
function NavigationButton({ children }: { children: ReactNode }) {
	const path = useRouterState({ select: ({ location }) => location.pathname });
	return (
		<Late
			key={path}
			button={{ className: 'react-aria-Button only-narrow', 'aria-label': 'Navigation', 'aria-haspopup': 'dialog', children: '☰' }}
			load={loadNavigation}
			props={{ children }}
		/>
	);
}

function Offline() {
	const isOnline = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
	return (
		<div role="status">
			{!isOnline && <p className="offline">You are offline. What you see is from before, and nothing that you send now arrives.</p>}
		</div>
	);
}

function subscribeToNetwork(changed: () => void): () => void {
	window.addEventListener('online', changed);
	window.addEventListener('offline', changed);
	return () => {
		window.removeEventListener('online', changed);
		window.removeEventListener('offline', changed);
	};
}
