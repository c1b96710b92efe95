import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { Button, type ButtonProps } from 'react-aria-components';

// Menus and dialogs load after the page is shown, because they are larger than most pages and nobody opens one before.

let isShown = false;
const listeners = new Set<() => void>();

/** Loads the menus and dialogs: the page and its data are there. */
export function loadLateControls(): void {
	isShown = true;
	for (const changed of listeners) changed();
}

function subscribe(changed: () => void): () => void {
	listeners.add(changed);
	return () => listeners.delete(changed);
}

/** Whether the page and its data are shown, so that what nobody needs yet may load. */
export function usePageShown(): boolean {
	return useSyncExternalStore(subscribe, () => isShown);
}

/** What a menu or dialog receives once it has loaded. */
export interface LateProps {
	readonly button: ButtonProps;
	/** Whether its button was pressed while it loaded. */
	readonly isOpenAtFirst: boolean;
}

/** The end of a press may come before the press itself, which the browser reports with the click. */
const PRESS_FOLLOWS_MS = 100;

interface LateControl<Props> {
	readonly button: ButtonProps;
	readonly load: () => Promise<ComponentType<Props & LateProps>>;
	/** Further properties of the control. */
	readonly props: Props;
}

/**
 * A button whose menu or dialog loads later. Pressed before that, it opens as soon as it has loaded. The button is not replaced while it is
 * held down, because the press would be lost.
 */
export function Late<Props extends object>({ button, load, props }: LateControl<Props>) {
	const isPageShown = usePageShown();
	const [isPressed, setPressed] = useState(false);
	const [isDown, setDown] = useState(false);
	const [hasFocus, setFocus] = useState(false);
	const [Control, setControl] = useState<ComponentType<Props & LateProps>>();
	const isWanted = isPageShown || isPressed;
	useEffect(() => {
		// If the network fails, the next press tries again.
		if (isWanted)
			void load().then(
				(loaded) => setControl(() => loaded),
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
			onPressEnd={() => setTimeout(() => setDown(false), PRESS_FOLLOWS_MS)}
			onFocusChange={setFocus}
		/>
	);
}
