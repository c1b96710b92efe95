import { useIsFetching } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Button, type ButtonProps } from 'react-aria-components';

// Menus and dialogs load after the page is shown, because they are larger than most pages and nobody opens one before.

/** How long nothing may load before the page counts as shown. */
const QUIET_MS = 200;

/** Whether the first page and its data have been shown. Stays true. */
export function useIsShown(): boolean {
	const isLoading = useRouterState({ select: ({ status }) => status === 'pending' });
	const isQuiet = useIsFetching() === 0 && !isLoading;
	const [isShown, setShown] = useState(false);
	useEffect(() => {
		if (!isQuiet) return undefined;
		const timer = setTimeout(() => setShown(true), QUIET_MS);
		return () => clearTimeout(timer);
	}, [isQuiet]);
	return isShown;
}

/** What a menu or dialog receives once it has loaded. */
export interface LateProps {
	readonly button: ButtonProps;
	/** Whether its button was pressed while it loaded. */
	readonly isOpenAtFirst: boolean;
}

/** A button whose menu or dialog loads later. Pressed before that, it opens as soon as it has loaded. */
export function Late({ button, children }: { button: ButtonProps; children: (late: LateProps) => ReactNode }) {
	const isShown = useIsShown();
	const [isPressed, setPressed] = useState(false);
	const [hasFocus, setFocus] = useState(false);
	const standIn = <Button aria-haspopup="menu" {...button} onPress={() => setPressed(true)} onFocusChange={setFocus} />;
	if (!isShown && !isPressed) return standIn;
	return <Suspense fallback={standIn}>{children({ button: { ...button, autoFocus: hasFocus }, isOpenAtFirst: isPressed })}</Suspense>;
}
