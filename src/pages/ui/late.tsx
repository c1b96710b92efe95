import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { Button, type ButtonProps } from 'react-aria-components';

// Menus and dialogs load after the page is shown, because they are larger than most pages and nobody opens one before.

let isShown = false;
const listeners = new Set<() => void>();

/** Called when the page and its data are shown. */
export function loadLateControls(): void {
	isShown = true;
	for (const changed of listeners) changed();
}

function subscribe(changed: () => void): () => void {
	listeners.add(changed);
	return () => listeners.delete(changed);
}

/** Code that nobody needs yet may load after that. */
export function usePageShown(): boolean {
	return useSyncExternalStore(subscribe, () => isShown);
}

export interface LateProps {
	readonly button: ButtonProps;
	/** Whether the button was pressed while the control loaded. */
	readonly isOpenAtFirst: boolean;
}

/** A press may end before the browser reports it with the click. */
const PRESS_FOLLOWS_MS = 100;

interface LateControl<Props> {
	readonly button: ButtonProps;
	readonly load: () => Promise<ComponentType<Props & LateProps>>;
	readonly props: Props;
}

/**
 * A button whose menu or dialog loads later. If it is pressed before that, the control opens as soon as it has loaded. The button is not
 * replaced while it is held down, because the press would be lost.
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
