import { useIsFetching } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { Menu, WifiOff } from 'lucide-react';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Late, loadLateControls } from '../ui/late.tsx';
import { Logo } from './logo.tsx';

const loadNavigation = async () => (await import('./narrow-menu.tsx')).NarrowMenu;

/** How long nothing may load before the page counts as shown. */
const QUIET_MS = 200;

interface LayoutProps {
	readonly label: string;
	/** At the side, or behind a button on a narrow screen. */
	readonly side: ReactNode;
	/** Next to the logo. */
	readonly tools: ReactNode;
	/** At the foot of the side, or at the top of a narrow screen. */
	readonly account: ReactNode;
	readonly children: ReactNode;
}

/** For signed-in people. */
export function Layout({ label, side, tools, account, children }: LayoutProps) {
	useLateControls();
	const isNarrow = useNarrowLayout();
	return (
		<div className="shell">
			<a className="button skip" href="#content">
				Skip to the content
			</a>
			{isNarrow ? (
				<header className="top">
					<NavigationButton>{side}</NavigationButton>
					<Logo />
					<div className="row nowrap">
						{tools}
						{account}
					</div>
				</header>
			) : (
				<aside className="side" aria-label={label}>
					<div className="side-head">
						<Logo />
						{tools}
					</div>
					{side}
					<div className="side-foot">{account}</div>
				</aside>
			)}
			<div className="sheet">
				<Offline />
				<main id="content" tabIndex={-1}>
					{children}
				</main>
			</div>
		</div>
	);
}

const narrow = window.matchMedia('(max-width: 860px)');

function useNarrowLayout(): boolean {
	return useSyncExternalStore(
		(changed) => {
			narrow.addEventListener('change', changed);
			return () => narrow.removeEventListener('change', changed);
		},
		() => narrow.matches,
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

/** On a narrow screen, the navigation opens over the page and closes when another page opens. */
function NavigationButton({ children }: { children: ReactNode }) {
	const path = useRouterState({ select: ({ location }) => location.pathname });
	return (
		<Late
			key={path}
			button={{
				className: 'react-aria-Button plain icon',
				'aria-label': 'Navigation',
				'aria-haspopup': 'dialog',
				children: <Menu size={18} />,
			}}
			load={loadNavigation}
			props={{ children }}
		/>
	);
}

function Offline() {
	const isOnline = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
	return (
		<div role="status">
			{!isOnline && (
				<p className="offline">
					<WifiOff size={15} /> You are offline. This page may be out of date, and changes that you make now are not saved.
				</p>
			)}
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
