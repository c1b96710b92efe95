import { useIsFetching } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import { Button, type ButtonProps } from 'react-aria-components';

// Menus and dialogs load after the page is shown, because they are larger than most pages and nobody opens one earlier.

/** How long the page must have loaded nothing before it counts as shown. */
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
	/** Whether the button was pressed while it was loading. */
	readonly isOpenAtFirst: boolean;
}

interface LateControl<Props> {
	readonly button: ButtonProps;
	readonly load: () => Promise<{ readonly default: ComponentType<Props & LateProps> }>;
	/** Further properties of the control. */
	readonly props: Props;
}

/**
 * A button whose menu or dialog loads later. Pressed before that, it opens as soon as it has loaded. The button is not replaced while it is
 * held down, because the press would be lost.
 */
export function Late<Props extends object>({ button, load, props }: LateControl<Props>) {
	const isShown = useIsShown();
	const [isPressed, setPressed] = useState(false);
	const [isDown, setDown] = useState(false);
	const [hasFocus, setFocus] = useState(false);
	const [Control, setControl] = useState<ComponentType<Props & LateProps>>();
	const isWanted = isShown || isPressed;
	useEffect(() => {
		// If the network fails, the next press tries again.
		if (isWanted)
			void load().then(
				(module) => setControl(() => module.default),
				() => setPressed(false),
			);
	}, [isWanted, load]);
	if (Control && !isDown) return <Control {...props} button={{ ...button, autoFocus: hasFocus }} isOpenAtFirst={isPressed} />;
	return (
		<Button
			aria-haspopup="menu"
			{...button}
			onPress={() => setPressed(true)}
			onPressStart={() => setDown(true)}
			onPressEnd={() => setDown(false)}
			onFocusChange={setFocus}
		/>
	);
}
