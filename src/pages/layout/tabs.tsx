import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

/** On a narrow screen, the row scrolls to keep the current tab visible. */
export function Tabs({ label, hasSums = false, children }: { label: string; hasSums?: boolean; children: ReactNode }) {
	const bar = useRef<HTMLElement>(null);
	const path = useRouterState({ select: ({ location }) => location.pathname });
	useEffect(() => {
		bar.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
	}, [path]);
	return (
		<nav className={hasSums ? 'states' : 'tabs'} aria-label={label} ref={bar}>
			{children}
		</nav>
	);
}
